import type { Matrix, MatrixPart, MatrixRow } from "@groupwise/bench/matrix";
export function counts(part: MatrixPart): string;
export function cellsOf(row: MatrixRow): readonly string[];
export function matrixOf(matrix: Matrix): string;
export function matrixPage(): string;
