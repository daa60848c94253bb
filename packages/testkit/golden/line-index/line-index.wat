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
    (local $add_so_far i32) (local $whole i32) (local $i i32) (local $text_i i32) (local $is_equal i32)
    (local $as_u32 i32) (local $i1 i32) (local $text_i1 i32) (local $is_equal1 i32)
    (local $as_u32_i1 i32) (local $i2 i32) (local $text_i2 i32) (local $is_equal2 i32)
    (local $as_u32_i2 i32) (local $i3 i32) (local $text_i3 i32) (local $is_equal3 i32)
    (local $as_u32_i3 i32) (local $i4 i32) (local $text_i4 i32) (local $is_equal4 i32)
    (local $as_u32_i4 i32) (local $i5 i32) (local $text_i5 i32) (local $is_equal5 i32)
    (local $as_u32_i5 i32) (local $i6 i32) (local $text_i6 i32) (local $is_equal6 i32)
    (local $as_u32_i6 i32) (local $i7 i32) (local $text_i7 i32) (local $is_equal7 i32)
    (local $as_u32_i7 i32)
    (local.set $add_so_far (i32.const 0))
    ;; pass 1 over the items
    (local.set $whole (i32.sub (local.get $n) (i32.and (local.get $n) (i32.const 7))))
    (local.set $i (i32.const 0))
    (if
      (i32.lt_u (local.get $i) (local.get $whole))
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
          (local.set $i1 (i32.add (local.get $i) (i32.const 1)))
          (local.set $text_i1
            (i32.load offset=4 (i32.add (local.get $text) (i32.shl (local.get $i) (i32.const 2))))
          )
          (local.set $is_equal1 (i32.eq (local.get $text_i1) (i32.const 10)))
          (local.set $as_u32_i1 (local.get $is_equal1))
          (i32.store offset=4
            (i32.add (local.get $line) (i32.shl (local.get $i) (i32.const 2)))
            (local.get $add_so_far)
          )
          (i32.store
            (select
              (i32.add (local.get $starts) (i32.shl (local.get $add_so_far) (i32.const 2)))
              (global.get $frame)
              (local.get $is_equal1)
            )
            (i32.add (local.get $i1) (i32.const 1))
          )
          (local.set $add_so_far (i32.add (local.get $add_so_far) (local.get $as_u32_i1)))
          (local.set $i2 (i32.add (local.get $i) (i32.const 2)))
          (local.set $text_i2
            (i32.load offset=8 (i32.add (local.get $text) (i32.shl (local.get $i) (i32.const 2))))
          )
          (local.set $is_equal2 (i32.eq (local.get $text_i2) (i32.const 10)))
          (local.set $as_u32_i2 (local.get $is_equal2))
          (i32.store offset=8
            (i32.add (local.get $line) (i32.shl (local.get $i) (i32.const 2)))
            (local.get $add_so_far)
          )
          (i32.store
            (select
              (i32.add (local.get $starts) (i32.shl (local.get $add_so_far) (i32.const 2)))
              (global.get $frame)
              (local.get $is_equal2)
            )
            (i32.add (local.get $i2) (i32.const 1))
          )
          (local.set $add_so_far (i32.add (local.get $add_so_far) (local.get $as_u32_i2)))
          (local.set $i3 (i32.add (local.get $i) (i32.const 3)))
          (local.set $text_i3
            (i32.load offset=12 (i32.add (local.get $text) (i32.shl (local.get $i) (i32.const 2))))
          )
          (local.set $is_equal3 (i32.eq (local.get $text_i3) (i32.const 10)))
          (local.set $as_u32_i3 (local.get $is_equal3))
          (i32.store offset=12
            (i32.add (local.get $line) (i32.shl (local.get $i) (i32.const 2)))
            (local.get $add_so_far)
          )
          (i32.store
            (select
              (i32.add (local.get $starts) (i32.shl (local.get $add_so_far) (i32.const 2)))
              (global.get $frame)
              (local.get $is_equal3)
            )
            (i32.add (local.get $i3) (i32.const 1))
          )
          (local.set $add_so_far (i32.add (local.get $add_so_far) (local.get $as_u32_i3)))
          (local.set $i4 (i32.add (local.get $i) (i32.const 4)))
          (local.set $text_i4
            (i32.load offset=16 (i32.add (local.get $text) (i32.shl (local.get $i) (i32.const 2))))
          )
          (local.set $is_equal4 (i32.eq (local.get $text_i4) (i32.const 10)))
          (local.set $as_u32_i4 (local.get $is_equal4))
          (i32.store offset=16
            (i32.add (local.get $line) (i32.shl (local.get $i) (i32.const 2)))
            (local.get $add_so_far)
          )
          (i32.store
            (select
              (i32.add (local.get $starts) (i32.shl (local.get $add_so_far) (i32.const 2)))
              (global.get $frame)
              (local.get $is_equal4)
            )
            (i32.add (local.get $i4) (i32.const 1))
          )
          (local.set $add_so_far (i32.add (local.get $add_so_far) (local.get $as_u32_i4)))
          (local.set $i5 (i32.add (local.get $i) (i32.const 5)))
          (local.set $text_i5
            (i32.load offset=20 (i32.add (local.get $text) (i32.shl (local.get $i) (i32.const 2))))
          )
          (local.set $is_equal5 (i32.eq (local.get $text_i5) (i32.const 10)))
          (local.set $as_u32_i5 (local.get $is_equal5))
          (i32.store offset=20
            (i32.add (local.get $line) (i32.shl (local.get $i) (i32.const 2)))
            (local.get $add_so_far)
          )
          (i32.store
            (select
              (i32.add (local.get $starts) (i32.shl (local.get $add_so_far) (i32.const 2)))
              (global.get $frame)
              (local.get $is_equal5)
            )
            (i32.add (local.get $i5) (i32.const 1))
          )
          (local.set $add_so_far (i32.add (local.get $add_so_far) (local.get $as_u32_i5)))
          (local.set $i6 (i32.add (local.get $i) (i32.const 6)))
          (local.set $text_i6
            (i32.load offset=24 (i32.add (local.get $text) (i32.shl (local.get $i) (i32.const 2))))
          )
          (local.set $is_equal6 (i32.eq (local.get $text_i6) (i32.const 10)))
          (local.set $as_u32_i6 (local.get $is_equal6))
          (i32.store offset=24
            (i32.add (local.get $line) (i32.shl (local.get $i) (i32.const 2)))
            (local.get $add_so_far)
          )
          (i32.store
            (select
              (i32.add (local.get $starts) (i32.shl (local.get $add_so_far) (i32.const 2)))
              (global.get $frame)
              (local.get $is_equal6)
            )
            (i32.add (local.get $i6) (i32.const 1))
          )
          (local.set $add_so_far (i32.add (local.get $add_so_far) (local.get $as_u32_i6)))
          (local.set $i7 (i32.add (local.get $i) (i32.const 7)))
          (local.set $text_i7
            (i32.load offset=28 (i32.add (local.get $text) (i32.shl (local.get $i) (i32.const 2))))
          )
          (local.set $is_equal7 (i32.eq (local.get $text_i7) (i32.const 10)))
          (local.set $as_u32_i7 (local.get $is_equal7))
          (i32.store offset=28
            (i32.add (local.get $line) (i32.shl (local.get $i) (i32.const 2)))
            (local.get $add_so_far)
          )
          (i32.store
            (select
              (i32.add (local.get $starts) (i32.shl (local.get $add_so_far) (i32.const 2)))
              (global.get $frame)
              (local.get $is_equal7)
            )
            (i32.add (local.get $i7) (i32.const 1))
          )
          (local.set $add_so_far (i32.add (local.get $add_so_far) (local.get $as_u32_i7)))
          (local.set $i (i32.add (local.get $i) (i32.const 8)))
          (br_if $next (i32.lt_u (local.get $i) (local.get $whole)))
        )
      )
    )
    ;; the tail
    (local.set $i (local.get $whole))
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
