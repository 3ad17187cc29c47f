// Java twin of the kernel binarytrees: binary trees of many depths made and dropped while one stays: allocation and collection.

public final class Binarytrees {
    static final int MIN_DEPTH = 4;

    static final class Node {
        Node left, right;

        // A complete tree.
        static Node make(int depth) {
            Node n = new Node();
            if (depth > 0) {
                n.left = make(depth - 1);
                n.right = make(depth - 1);
            }
            return n;
        }

        // The number of nodes.
        long count() {
            if (left == null) {
                return 1;
            }
            return left.count() + right.count() + 1;
        }
    }

    static long run(long size) {
        int max = (int) size;
        long sum = Node.make(max + 1).count();
        Node longLived = Node.make(max);
        for (int depth = MIN_DEPTH; depth <= max; depth += 2) {
            long nodes = 0;
            for (long i = 1L << (max - depth + MIN_DEPTH); i > 0; i--) {
                nodes += Node.make(depth).count();
            }
            sum = sum * 31 + nodes;
        }
        return sum * 31 + longLived.count();
    }

    public static void main(String[] args) {
        long size = args.length > 0 ? Long.parseLong(args[0]) : 17;
        System.out.println("trap binarytrees.done checksum=" + run(size));
    }
}
