# The clients of served_wrong.c: eight pairs. Both of a pair have a worker before either asks, so the two ask at the same time.
for _ in $(seq 100); do
    [ -s port ] && break
    sleep 0.05
done
read -r port <port
trap 'rm -f port' EXIT
for _ in 1 2 3 4 5 6 7 8; do
    exec 3<>"/dev/tcp/127.0.0.1/$port" 4<>"/dev/tcp/127.0.0.1/$port" || break
    read -r _ <&3 && read -r _ <&4 && printf x >&3 && printf x >&4 && read -r _ <&3 && read -r _ <&4
    exec 3>&- 4>&-
done 2>/dev/null
