# awk -f history.awk -v kind=K [-v ops=N] [-v keys=N] [-v processes=N] [-v values=N] [-v crash=P] [-v seed=N] [-v wrong=1]:
# a history, as EDN, of an object that really is atomic, used by some processes at a time. `values` is the range of what
# is written, 0: never the same twice. A process crashes in an operation with probability P and goes on under another
# number. With wrong=1 the last operations cannot be right.
function below(n) { return int(rand() * n) }
function fresh() { return values ? below(values) : ++last_value }
function event(p, type, value) {
    printf "{:process %d, :type :%s, :f :%s, :value %s}\n", name[p], type, call[p], (keys > 1 ? "[" key[p] " " value "]" : value)
}
function choose(p) {
    key[p] = keys > 1 ? below(keys) : 0
    if (kind == "register") { call[p] = below(2) ? "read" : "write"; argument[p] = call[p] == "write" ? fresh() : "nil" }
    else if (kind == "cas") { call[p] = below(3) == 0 ? "cas" : below(2) ? "read" : "write"
        argument[p] = call[p] == "read" ? "nil" : call[p] == "write" ? fresh() : "[" (old[p] = below(values)) " " (new[p] = below(values)) "]" }
    else if (kind == "queue" || kind == "stack") { call[p] = below(2) ? (kind == "queue" ? "enqueue" : "push") : (kind == "queue" ? "dequeue" : "pop")
        argument[p] = call[p] ~ /e.queue|push/ && call[p] != "dequeue" ? fresh() : "nil" }
    else if (kind == "set") { call[p] = below(3) == 0 ? "contains" : below(2) ? "add" : "remove"; argument[p] = below(values) }
    else { call[p] = below(2) ? "inc" : "get"; argument[p] = "nil" }
}
function effect(p,    k) {
    k = key[p]; result[p] = argument[p]
    if (call[p] == "write") state[k] = argument[p]
    else if (call[p] == "read") result[p] = k in state ? state[k] : "nil"
    else if (call[p] == "cas") { failed[p] = !(k in state) || state[k] != old[p]; if (!failed[p]) state[k] = new[p] }
    else if (call[p] == "enqueue" || call[p] == "push") list[k, top[k]++] = argument[p]
    else if (call[p] == "dequeue") result[p] = bottom[k] < top[k] ? list[k, bottom[k]++] : "nil"
    else if (call[p] == "pop") result[p] = top[k] > 0 ? list[k, --top[k]] : "nil"
    else if (kind == "set") { there = state[k, argument[p]]; result[p] = "[" argument[p] " " ((call[p] == "add" ? !there : there) ? "true" : "false") "]"
        if (call[p] != "contains") state[k, argument[p]] = call[p] == "add" }
    else if (call[p] == "inc") state[k]++
    else result[p] = state[k] + 0
}
function move(p) {
    if (phase[p] == 0) { choose(p); event(p, "invoke", argument[p]); failed[p] = 0; made++ }
    else if (phase[p] == 1) { lost[p] = rand() < crash / 2; if (!lost[p]) effect(p) }
    else if (lost[p] || rand() < crash / 2) { event(p, "info", argument[p]); name[p] = next_name++ }
    else event(p, failed[p] ? "fail" : "ok", result[p])
    phase[p] = (phase[p] + 1) % 3
}
function both(f, v, r) { call[0] = f; event(0, "invoke", v); event(0, "ok", r) }
BEGIN {
    if (!ops) ops = 1000; if (!keys) keys = 1; if (!processes) processes = 5
    srand(seed ? seed : 1)
    for (p = 0; p < processes; p++) name[p] = p
    next_name = processes
    while (made < ops) move(below(processes))
    for (p = 0; p < processes; p++) while (phase[p]) move(p)
    if (!wrong) exit
    key[0] = 0
    if (kind == "register" || kind == "cas") { both("write", 900001, 900001); both("write", 900002, 900002); both("read", "nil", 900001) }
    else if (kind == "queue") { both("enqueue", 900001, 900001); both("enqueue", 900002, 900002); both("dequeue", "nil", 900002) }
    else if (kind == "stack") { both("push", 900001, 900001); both("push", 900002, 900002); both("pop", "nil", 900001) }
    else if (kind == "set") { both("add", 0, 0); both("contains", 0, "[0 false]") }
    else both("get", "nil", -1)
}
