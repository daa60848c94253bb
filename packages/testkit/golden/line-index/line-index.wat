;; line-index: made by groupwise 0.1.0. Do not edit; regenerate it with
;;   groupwise emit pipeline.json --target wasm
;; Inputs: u32 text[n]
;; Outputs: u32 line[n], u32 starts[n], u32 lines[1]
;; Strategy: one-thread
(module
  (import "groupwise" "memory" (memory 1))
  ;; Where arrays of the functions begin, 8 bytes.
  (import "groupwise" "frame" (global $frame i32))

  ;; The loops: launch scalars, then the byte offset of each array in memory. Nothing is checked.
  (func $kernel (param $n i32) (param $text i32) (param $line i32) (param $starts i32) (param $lines i32)
    (local $add_so_far i32) (local $i i32) (local $text_i i32) (local $is_equal i32) (local $as_u32 i32)
    (local.set $add_so_far (i32.const 0))
    ;; pass 1 over the items
    (local.set $i (i32.const 0))
    (if
      (i32.lt_u (local.get $i) (local.get $n))
      (then
        (loop $next
          (local.set $text_i (i32.load (i32.add (local.get $text) (i32.shl (local.get $i) (i32.const 2)))))
          (local.set $is_equal (i32.eq (local.get $text_i) (i32.const 10)))
          (local.set $as_u32 (local.get $is_equal))
          (i32.store
            (i32.add (local.get $line) (i32.shl (local.get $i) (i32.const 2)))
            (local.get $add_so_far)
          )
          (i32.store
            (select
              (i32.add (local.get $starts) (i32.shl (local.get $add_so_far) (i32.const 2)))
              (global.get $frame)
              (local.get $is_equal)
            )
            (i32.add (local.get $i) (i32.const 1))
          )
          (local.set $add_so_far (i32.add (local.get $add_so_far) (local.get $as_u32)))
          (local.set $i (i32.add (local.get $i) (i32.const 1)))
          (br_if $next (i32.lt_u (local.get $i) (local.get $n)))
        )
      )
    )
    (i32.store (local.get $lines) (local.get $add_so_far))
  )
  (export "kernel" (func $kernel))
)
