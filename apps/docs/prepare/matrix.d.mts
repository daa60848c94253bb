import type { Matrix, MatrixRow, Part } from "@groupwise/bench/matrix";
export function counts(part: Part): string;
export function cellsOf(row: MatrixRow): readonly string[];
export function matrixOf(matrix: Matrix): string;
export function matrixPage(): string;
