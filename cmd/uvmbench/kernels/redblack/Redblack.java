// Java twin of the kernel redblack: a red-black tree with parent pointers: size insertions, as many look-ups, a walk in order.

public final class Redblack {
    static final class Node {
        Node left, right, parent;
        long key, value;
        boolean red;

        // The node after this one in the order of keys.
        Node next() {
            Node n = this;
            if (n.right != null) {
                n = n.right;
                while (n.left != null) {
                    n = n.left;
                }
                return n;
            }
            Node p = n.parent;
            while (p != null && p.right == n) {
                n = p;
                p = n.parent;
            }
            return p;
        }
    }

    Node root;
    long count;

    // Puts y, the right child of x, in the place of x.
    void rotateLeft(Node x) {
        Node y = x.right;
        x.right = y.left;
        if (y.left != null) {
            y.left.parent = x;
        }
        replace(x, y);
        y.left = x;
        x.parent = y;
    }

    // Puts y, the left child of x, in the place of x.
    void rotateRight(Node x) {
        Node y = x.left;
        x.left = y.right;
        if (y.right != null) {
            y.right.parent = x;
        }
        replace(x, y);
        y.right = x;
        x.parent = y;
    }

    // Makes y the child of the parent of x, in the place of x.
    void replace(Node x, Node y) {
        Node p = x.parent;
        y.parent = p;
        if (p == null) {
            root = y;
        } else if (p.left == x) {
            p.left = y;
        } else {
            p.right = y;
        }
    }

    // Adds to the value of the key, which is inserted with 0 if it is new.
    void add(long key, long value) {
        Node parent = null;
        for (Node n = root; n != null; n = key < n.key ? n.left : n.right) {
            parent = n;
            if (key == n.key) {
                n.value += value;
                return;
            }
        }
        Node n = new Node();
        n.key = key;
        n.value = value;
        n.parent = parent;
        n.red = true;
        count++;
        if (parent == null) {
            root = n;
        } else if (key < parent.key) {
            parent.left = n;
        } else {
            parent.right = n;
        }
        repair(n);
        root.red = false;
    }

    // Restores the rule that no red node has a red parent, from n upwards.
    void repair(Node n) {
        for (;;) {
            Node p = n.parent;
            if (p == null || !p.red) {
                return;
            }
            // a red parent is not the root
            Node g = p.parent;
            boolean left = p == g.left;
            Node uncle = left ? g.right : g.left;
            if (uncle != null && uncle.red) {
                p.red = false;
                uncle.red = false;
                g.red = true;
                n = g;
                continue;
            }
            if (left) {
                if (n == p.right) {
                    rotateLeft(p);
                    p = n;
                }
                p.red = false;
                g.red = true;
                rotateRight(g);
            } else {
                if (n == p.left) {
                    rotateRight(p);
                    p = n;
                }
                p.red = false;
                g.red = true;
                rotateLeft(g);
            }
            return;
        }
    }

    Node find(long key) {
        Node n = root;
        while (n != null && key != n.key) {
            n = key < n.key ? n.left : n.right;
        }
        return n;
    }

    static long seed = 42;

    static long random(long n) {
        seed = seed * 6364136223846793005L + 1442695040888963407L;
        return (seed >>> 33) % n;
    }

    static long run(long size) {
        Redblack t = new Redblack();
        for (long i = 0; i < size; i++) {
            t.add(random(size * 2), i);
        }
        long hits = 0;
        for (long i = 0; i < size; i++) {
            Node n = t.find(random(size * 2));
            if (n != null) {
                hits += n.value;
            }
        }
        long sum = t.count * 1000003 + hits;
        Node n = t.root;
        while (n.left != null) {
            n = n.left;
        }
        for (; n != null; n = n.next()) {
            sum = sum * 31 + n.key * 2 + (n.red ? 1 : 0);
        }
        return sum;
    }

    public static void main(String[] args) {
        long size = args.length > 0 ? Long.parseLong(args[0]) : 600000;
        System.out.println("trap redblack.done checksum=" + run(size));
    }
}
