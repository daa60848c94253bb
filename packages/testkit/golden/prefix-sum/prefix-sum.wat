;; prefix-sum: made by groupwise 0.1.0. Do not edit; regenerate it with
;;   groupwise emit pipeline.json --target wasm
;; Inputs: f32 x[n]
;; Outputs: f32 sum[n]
;; Strategy: one-thread
(module
  (import "groupwise" "memory" (memory 1))
  ;; Where arrays of the functions begin, 256 bytes.
  (import "groupwise" "frame" (global $frame i32))

  ;; The loops: launch scalars, then the byte offset of each array in memory. Nothing is checked.
  (func $kernel (param $n i32) (param $x i32) (param $sum i32)
    (local $add_so_far f32) (local $whole i32) (local $i i32) (local $x_i f32) (local $before f32)
    (local $prefix0 f32) (local $inclusive f32) (local $i1 i32) (local $x_i1 f32) (local $total0to1 f32)
    (local $prefix1 f32) (local $inclusive_2 f32) (local $i2 i32) (local $x_i2 f32) (local $prefix2 f32)
    (local $inclusive_3 f32) (local $i3 i32) (local $x_i3 f32) (local $total2to3 f32)
    (local $total0to3 f32) (local $prefix3 f32) (local $inclusive_4 f32) (local $i4 i32)
    (local $x_i4 f32) (local $prefix4 f32) (local $inclusive_5 f32) (local $i5 i32) (local $x_i5 f32)
    (local $total4to5 f32) (local $prefix5 f32) (local $inclusive_6 f32) (local $i6 i32)
    (local $x_i6 f32) (local $prefix6 f32) (local $inclusive_7 f32) (local $i7 i32) (local $x_i7 f32)
    (local $total6to7 f32) (local $total4to7 f32) (local $total0to7 f32) (local $total f32)
    (local $start f32) (local $size i32) (local $bits i32) (local $inclusive_8 f32)
    (local.set $add_so_far (f32.const 0))
    (memory.fill (i32.add (global.get $frame) (i32.const 0)) (i32.const 0) (i32.const 128))
    (memory.fill (i32.add (global.get $frame) (i32.const 128)) (i32.const 0) (i32.const 128))
    ;; pass 1 over the items
    (local.set $whole (i32.sub (local.get $n) (i32.and (local.get $n) (i32.const 7))))
    (local.set $i (i32.const 0))
    (if
      (i32.lt_u (local.get $i) (local.get $whole))
      (then
        (loop $next
          (local.set $x_i (f32.load (i32.add (local.get $x) (i32.shl (local.get $i) (i32.const 2)))))
          (local.set $before
            (select (local.get $add_so_far) (f32.const -0) (i32.ne (local.get $i) (i32.const 0)))
          )
          (local.set $prefix0 (f32.add (local.get $before) (local.get $x_i)))
          (local.set $add_so_far (local.get $prefix0))
          (local.set $inclusive (local.get $add_so_far))
          (f32.store (i32.add (local.get $sum) (i32.shl (local.get $i) (i32.const 2))) (local.get $inclusive))
          (local.set $i1 (i32.add (local.get $i) (i32.const 1)))
          (local.set $x_i1
            (f32.load offset=4 (i32.add (local.get $x) (i32.shl (local.get $i) (i32.const 2))))
          )
          (local.set $total0to1 (f32.add (local.get $x_i) (local.get $x_i1)))
          (local.set $prefix1 (f32.add (local.get $before) (local.get $total0to1)))
          (local.set $add_so_far (local.get $prefix1))
          (local.set $inclusive_2 (local.get $add_so_far))
          (f32.store offset=4
            (i32.add (local.get $sum) (i32.shl (local.get $i) (i32.const 2)))
            (local.get $inclusive_2)
          )
          (local.set $i2 (i32.add (local.get $i) (i32.const 2)))
          (local.set $x_i2
            (f32.load offset=8 (i32.add (local.get $x) (i32.shl (local.get $i) (i32.const 2))))
          )
          (local.set $prefix2 (f32.add (local.get $prefix1) (local.get $x_i2)))
          (local.set $add_so_far (local.get $prefix2))
          (local.set $inclusive_3 (local.get $add_so_far))
          (f32.store offset=8
            (i32.add (local.get $sum) (i32.shl (local.get $i) (i32.const 2)))
            (local.get $inclusive_3)
          )
          (local.set $i3 (i32.add (local.get $i) (i32.const 3)))
          (local.set $x_i3
            (f32.load offset=12 (i32.add (local.get $x) (i32.shl (local.get $i) (i32.const 2))))
          )
          (local.set $total2to3 (f32.add (local.get $x_i2) (local.get $x_i3)))
          (local.set $total0to3 (f32.add (local.get $total0to1) (local.get $total2to3)))
          (local.set $prefix3 (f32.add (local.get $before) (local.get $total0to3)))
          (local.set $add_so_far (local.get $prefix3))
          (local.set $inclusive_4 (local.get $add_so_far))
          (f32.store offset=12
            (i32.add (local.get $sum) (i32.shl (local.get $i) (i32.const 2)))
            (local.get $inclusive_4)
          )
          (local.set $i4 (i32.add (local.get $i) (i32.const 4)))
          (local.set $x_i4
            (f32.load offset=16 (i32.add (local.get $x) (i32.shl (local.get $i) (i32.const 2))))
          )
          (local.set $prefix4 (f32.add (local.get $prefix3) (local.get $x_i4)))
          (local.set $add_so_far (local.get $prefix4))
          (local.set $inclusive_5 (local.get $add_so_far))
          (f32.store offset=16
            (i32.add (local.get $sum) (i32.shl (local.get $i) (i32.const 2)))
            (local.get $inclusive_5)
          )
          (local.set $i5 (i32.add (local.get $i) (i32.const 5)))
          (local.set $x_i5
            (f32.load offset=20 (i32.add (local.get $x) (i32.shl (local.get $i) (i32.const 2))))
          )
          (local.set $total4to5 (f32.add (local.get $x_i4) (local.get $x_i5)))
          (local.set $prefix5 (f32.add (local.get $prefix3) (local.get $total4to5)))
          (local.set $add_so_far (local.get $prefix5))
          (local.set $inclusive_6 (local.get $add_so_far))
          (f32.store offset=20
            (i32.add (local.get $sum) (i32.shl (local.get $i) (i32.const 2)))
            (local.get $inclusive_6)
          )
          (local.set $i6 (i32.add (local.get $i) (i32.const 6)))
          (local.set $x_i6
            (f32.load offset=24 (i32.add (local.get $x) (i32.shl (local.get $i) (i32.const 2))))
          )
          (local.set $prefix6 (f32.add (local.get $prefix5) (local.get $x_i6)))
          (local.set $add_so_far (local.get $prefix6))
          (local.set $inclusive_7 (local.get $add_so_far))
          (f32.store offset=24
            (i32.add (local.get $sum) (i32.shl (local.get $i) (i32.const 2)))
            (local.get $inclusive_7)
          )
          (local.set $i7 (i32.add (local.get $i) (i32.const 7)))
          (local.set $x_i7
            (f32.load offset=28 (i32.add (local.get $x) (i32.shl (local.get $i) (i32.const 2))))
          )
          (local.set $total6to7 (f32.add (local.get $x_i6) (local.get $x_i7)))
          (local.set $total4to7 (f32.add (local.get $total4to5) (local.get $total6to7)))
          (local.set $total0to7 (f32.add (local.get $total0to3) (local.get $total4to7)))
          (local.set $total (local.get $total0to7))
          (local.set $start (local.get $before))
          (local.set $size (i32.const 3))
          (local.set $bits (i32.shr_u (local.get $i) (i32.const 3)))
          (if
            (i32.ne (i32.and (local.get $bits) (i32.const 1)) (i32.const 0))
            (then
              (loop $next
                (local.set $total
                  (f32.add
                    (f32.load
                      (i32.add (global.get $frame) (i32.shl (i32.and (local.get $size) (i32.const 31)) (i32.const 2)))
                    )
                    (local.get $total)
                  )
                )
                (local.set $start
                  (f32.load offset=128
                    (i32.add (global.get $frame) (i32.shl (i32.and (local.get $size) (i32.const 31)) (i32.const 2)))
                  )
                )
                (local.set $size (i32.add (local.get $size) (i32.const 1)))
                (local.set $bits (i32.shr_u (local.get $bits) (i32.const 1)))
                (br_if $next (i32.ne (i32.and (local.get $bits) (i32.const 1)) (i32.const 0)))
              )
            )
          )
          (local.set $add_so_far (f32.add (local.get $start) (local.get $total)))
          (f32.store
            (i32.add (global.get $frame) (i32.shl (i32.and (local.get $size) (i32.const 31)) (i32.const 2)))
            (local.get $total)
          )
          (f32.store offset=128
            (i32.add (global.get $frame) (i32.shl (i32.and (local.get $size) (i32.const 31)) (i32.const 2)))
            (local.get $start)
          )
          (local.set $inclusive_8 (local.get $add_so_far))
          (f32.store offset=28
            (i32.add (local.get $sum) (i32.shl (local.get $i) (i32.const 2)))
            (local.get $inclusive_8)
          )
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
          (local.set $x_i (f32.load (i32.add (local.get $x) (i32.shl (local.get $i) (i32.const 2)))))
          (local.set $total (local.get $x_i))
          (local.set $start
            (select (local.get $add_so_far) (f32.const -0) (i32.ne (local.get $i) (i32.const 0)))
          )
          (local.set $size (i32.const 0))
          (local.set $bits (local.get $i))
          (if
            (i32.ne (i32.and (local.get $bits) (i32.const 1)) (i32.const 0))
            (then
              (loop $next
                (local.set $total
                  (f32.add
                    (f32.load
                      (i32.add (global.get $frame) (i32.shl (i32.and (local.get $size) (i32.const 31)) (i32.const 2)))
                    )
                    (local.get $total)
                  )
                )
                (local.set $start
                  (f32.load offset=128
                    (i32.add (global.get $frame) (i32.shl (i32.and (local.get $size) (i32.const 31)) (i32.const 2)))
                  )
                )
                (local.set $size (i32.add (local.get $size) (i32.const 1)))
                (local.set $bits (i32.shr_u (local.get $bits) (i32.const 1)))
                (br_if $next (i32.ne (i32.and (local.get $bits) (i32.const 1)) (i32.const 0)))
              )
            )
          )
          (local.set $add_so_far (f32.add (local.get $start) (local.get $total)))
          (f32.store
            (i32.add (global.get $frame) (i32.shl (i32.and (local.get $size) (i32.const 31)) (i32.const 2)))
            (local.get $total)
          )
          (f32.store offset=128
            (i32.add (global.get $frame) (i32.shl (i32.and (local.get $size) (i32.const 31)) (i32.const 2)))
            (local.get $start)
          )
          (local.set $inclusive (local.get $add_so_far))
          (f32.store (i32.add (local.get $sum) (i32.shl (local.get $i) (i32.const 2))) (local.get $inclusive))
          (local.set $i (i32.add (local.get $i) (i32.const 1)))
          (br_if $next (i32.lt_u (local.get $i) (local.get $n)))
        )
      )
    )
  )
  (export "kernel" (func $kernel))
)
