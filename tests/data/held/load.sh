# The clients of served_wrong.c: eight pairs of two at a time.
for _ in $(seq 100); do
    [ -s port ] && break
    sleep 0.05
done
read -r port <port
client() {
    exec 3<>"/dev/tcp/127.0.0.1/$port" && printf x >&3 && read -r _ <&3
    exec 3>&-
}
for _ in 1 2 3 4 5 6 7 8; do
    (client) &
    (client) &
    wait
done 2>/dev/null
rm -f port
