# awk -f transactions.awk -v kind=lists|registers [-v txns=N] [-v processes=N] [-v keys=N] [-v per_key=N] [-v crash=P]
# [-v seed=N] [-v wrong=1]: a history of transactions, as EDN, of a database that does one at a time. `keys` are in use at a
# time; after `per_key` writes a key is replaced by a new one. A process crashes in a transaction with probability P and goes
# on under another number. With wrong=1 the last two transactions are a write skew.
function below(n) { return int(rand() * n) }
function line(name, type, value) { printf "{:process %d, :type :%s, :f :txn, :value [%s]}\n", name, type, value }
function choose(p,    i, k, text) {
    count[p] = 1 + below(4)
    text = ""
    for (i = 0; i < count[p]; i++) {
        k = active[below(keys)]
        key[p, i] = k
        writes[p, i] = below(2)
        if (writes[p, i]) {
            value[p, i] = ++last[k]
            if (last[k] == per_key) retire(k)
        }
        text = text (i ? " " : "") "[" (writes[p, i] ? put " " k " " value[p, i] : ":r " k " nil") "]"
    }
    called[p] = text
}
function retire(k,    i) { for (i = 0; i < keys; i++) if (active[i] == k) active[i] = next_key++ }
function effect(p,    i, k, text) {
    text = ""
    for (i = 0; i < count[p]; i++) {
        k = key[p, i]
        if (writes[p, i]) state[k] = lists ? state[k] (state[k] == "" ? "" : " ") value[p, i] : value[p, i]
        text = text (i ? " " : "") "[" (writes[p, i] ? put " " k " " value[p, i] : ":r " k " " seen(k)) "]"
    }
    result[p] = text
}
function seen(k) { return lists ? "[" state[k] "]" : state[k] == "" ? "nil" : state[k] }
function move(p) {
    if (phase[p] == 0) { choose(p); line(name[p], "invoke", called[p]); made++ }
    else if (phase[p] == 1) { lost[p] = rand() < crash / 2; if (!lost[p]) effect(p) }
    else if (lost[p] || rand() < crash / 2) { line(name[p], "info", called[p]); name[p] = next_name++ }
    else line(name[p], "ok", result[p])
    phase[p] = (phase[p] + 1) % 3
}
function skew(a, b,    empty) {
    empty = lists ? "[]" : "nil"
    line(name[0], "invoke", "[:r " a " nil] [" put " " b " 1]"); line(name[1], "invoke", "[:r " b " nil] [" put " " a " 1]")
    line(name[0], "ok", "[:r " a " " empty "] [" put " " b " 1]"); line(name[1], "ok", "[:r " b " " empty "] [" put " " a " 1]")
}
BEGIN {
    if (!txns) txns = 1000; if (!keys) keys = 10; if (!per_key) per_key = 100; if (!processes) processes = 10
    srand(seed ? seed : 1)
    lists = kind != "registers"; put = lists ? ":append" : ":w"
    for (p = 0; p < processes; p++) name[p] = p
    for (i = 0; i < keys; i++) active[i] = i
    next_name = processes; next_key = keys
    while (made < txns) move(below(processes))
    for (p = 0; p < processes; p++) while (phase[p]) move(p)
    if (wrong) skew("skew1", "skew2")
}
