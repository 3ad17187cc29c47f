// Java twin of the kernel gcbench: GCBench of Ellis, Kovac and Boehm: short-lived trees made top-down and bottom-up in several depths, while
// a long-lived tree and a long-lived array stay. Size is the depth of the tree that stretches the heap.

public final class Gcbench {
    static final int ARRAY = 500000;
    static final int MIN_DEPTH = 4;

    static final class Node {
        Node left, right;
        long i, j;
    }

    // The number of nodes of a tree of the given depth.
    static long treeSize(int depth) {
        return (1L << (depth + 1)) - 1;
    }

    // Builds top-down: the node exists before its subtrees.
    static void populate(int depth, Node n) {
        if (depth <= 0) {
            return;
        }
        n.left = new Node();
        n.right = new Node();
        populate(depth - 1, n.left);
        populate(depth - 1, n.right);
    }

    // Builds bottom-up: the subtrees exist before the node.
    static Node make(int depth) {
        if (depth <= 0) {
            return new Node();
        }
        Node left = make(depth - 1);
        Node right = make(depth - 1);
        Node n = new Node();
        n.left = left;
        n.right = right;
        n.i = depth;
        return n;
    }

    // The nodes, each weighed with its depth field.
    static long weigh(Node n) {
        return n == null ? 0 : weigh(n.left) + weigh(n.right) + n.i + 1;
    }

    // Trees of one depth: as many as together have twice the nodes of the stretch tree.
    static long construct(int depth, int stretch) {
        long trees = 2 * treeSize(stretch) / treeSize(depth);
        long sum = 0;
        for (long i = 0; i < trees; i++) {
            Node root = new Node();
            populate(depth, root);
            if (i == trees - 1) {
                sum += weigh(root);
            }
        }
        for (long i = 0; i < trees; i++) {
            Node tree = make(depth);
            if (i == trees - 1) {
                sum += weigh(tree);
            }
        }
        return sum + trees;
    }

    static long run(long size) {
        int stretch = (int) size;
        long sum = weigh(make(stretch));
        Node longLived = new Node();
        populate(stretch - 2, longLived);
        double[] array = new double[ARRAY];
        for (int i = 0; i < ARRAY; i++) {
            array[i] = 1.0 / (i + 1);
        }
        for (int depth = MIN_DEPTH; depth <= stretch - 2; depth += 2) {
            sum = sum * 31 + construct(depth, stretch);
        }
        // the long-lived tree and array must still be there
        return (sum * 31 + weigh(longLived)) ^ Double.doubleToRawLongBits(array[1000]);
    }

    public static void main(String[] args) {
        long size = args.length > 0 ? Long.parseLong(args[0]) : 18;
        System.out.println("trap gcbench.done checksum=" + run(size));
    }
}
