;; compact: made by groupwise 0.1.0. Do not edit; regenerate it with
;;   groupwise emit pipeline.json --target wasm
;; Inputs: f32 x[n], f32 least
;; Outputs: f32 kept[n]
;; Strategy: one-thread
(module
  (import "groupwise" "memory" (memory 1))
  ;; Where arrays of the functions begin, 8 bytes.
  (import "groupwise" "frame" (global $frame i32))

  ;; The loops: launch scalars, then the byte offset of each array in memory. Nothing is checked.
  (func $kernel (param $n i32) (param $least f32) (param $x i32) (param $kept i32) (param $kept_length i32)
    (local $add_so_far i32) (local $whole i32) (local $i i32) (local $x_i0 v128)
    (local $is_at_least0 v128) (local $x_i4 v128) (local $is_at_least4 v128) (local $x_i8 v128)
    (local $is_at_least8 v128) (local $x_i12 v128) (local $is_at_least12 v128) (local $x_i16 v128)
    (local $is_at_least16 v128) (local $x_i20 v128) (local $is_at_least20 v128) (local $x_i24 v128)
    (local $is_at_least24 v128) (local $x_i28 v128) (local $is_at_least28 v128) (local $chosen i32)
    (local $at i32) (local $x_i f32) (local $is_at_least i32) (local $as_u32 i32)
    (local.set $add_so_far (i32.const 0))
    ;; pass 1 over the items
    (local.set $whole (i32.sub (local.get $n) (i32.and (local.get $n) (i32.const 31))))
    (local.set $i (i32.const 0))
    (if
      (i32.lt_u (local.get $i) (local.get $whole))
      (then
        (loop $next
          (local.set $x_i0 (v128.load (i32.add (local.get $x) (i32.shl (local.get $i) (i32.const 2)))))
          (local.set $is_at_least0 (f32x4.ge (local.get $x_i0) (f32x4.splat (local.get $least))))
          (local.set $x_i4
            (v128.load offset=16 (i32.add (local.get $x) (i32.shl (local.get $i) (i32.const 2))))
          )
          (local.set $is_at_least4 (f32x4.ge (local.get $x_i4) (f32x4.splat (local.get $least))))
          (local.set $x_i8
            (v128.load offset=32 (i32.add (local.get $x) (i32.shl (local.get $i) (i32.const 2))))
          )
          (local.set $is_at_least8 (f32x4.ge (local.get $x_i8) (f32x4.splat (local.get $least))))
          (local.set $x_i12
            (v128.load offset=48 (i32.add (local.get $x) (i32.shl (local.get $i) (i32.const 2))))
          )
          (local.set $is_at_least12 (f32x4.ge (local.get $x_i12) (f32x4.splat (local.get $least))))
          (local.set $x_i16
            (v128.load offset=64 (i32.add (local.get $x) (i32.shl (local.get $i) (i32.const 2))))
          )
          (local.set $is_at_least16 (f32x4.ge (local.get $x_i16) (f32x4.splat (local.get $least))))
          (local.set $x_i20
            (v128.load offset=80 (i32.add (local.get $x) (i32.shl (local.get $i) (i32.const 2))))
          )
          (local.set $is_at_least20 (f32x4.ge (local.get $x_i20) (f32x4.splat (local.get $least))))
          (local.set $x_i24
            (v128.load offset=96 (i32.add (local.get $x) (i32.shl (local.get $i) (i32.const 2))))
          )
          (local.set $is_at_least24 (f32x4.ge (local.get $x_i24) (f32x4.splat (local.get $least))))
          (local.set $x_i28
            (v128.load offset=112 (i32.add (local.get $x) (i32.shl (local.get $i) (i32.const 2))))
          )
          (local.set $is_at_least28 (f32x4.ge (local.get $x_i28) (f32x4.splat (local.get $least))))
          (local.set $chosen
            (i32.or
              (i32.or
                (i32.or
                  (i32.or
                    (i32.or
                      (i32.or
                        (i32.or
                          (i32x4.bitmask (local.get $is_at_least0))
                          (i32.shl (i32x4.bitmask (local.get $is_at_least4)) (i32.const 4))
                        )
                        (i32.shl (i32x4.bitmask (local.get $is_at_least8)) (i32.const 8))
                      )
                      (i32.shl (i32x4.bitmask (local.get $is_at_least12)) (i32.const 12))
                    )
                    (i32.shl (i32x4.bitmask (local.get $is_at_least16)) (i32.const 16))
                  )
                  (i32.shl (i32x4.bitmask (local.get $is_at_least20)) (i32.const 20))
                )
                (i32.shl (i32x4.bitmask (local.get $is_at_least24)) (i32.const 24))
              )
              (i32.shl (i32x4.bitmask (local.get $is_at_least28)) (i32.const 28))
            )
          )
          (if
            (i32.ne (local.get $chosen) (i32.const 0))
            (then
              (loop $next
                (local.set $at (i32.add (local.get $i) (i32.and (i32.ctz (local.get $chosen)) (i32.const 31))))
                (local.set $chosen (i32.and (local.get $chosen) (i32.sub (local.get $chosen) (i32.const 1))))
                (local.set $x_i (f32.load (i32.add (local.get $x) (i32.shl (local.get $at) (i32.const 2)))))
                (f32.store
                  (i32.add (local.get $kept) (i32.shl (local.get $add_so_far) (i32.const 2)))
                  (local.get $x_i)
                )
                (local.set $add_so_far (i32.add (local.get $add_so_far) (i32.const 1)))
                (br_if $next (i32.ne (local.get $chosen) (i32.const 0)))
              )
            )
          )
          (local.set $i (i32.add (local.get $i) (i32.const 32)))
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
          (local.set $is_at_least (f32.ge (local.get $x_i) (local.get $least)))
          (local.set $as_u32 (local.get $is_at_least))
          (f32.store
            (select
              (i32.add (local.get $kept) (i32.shl (local.get $add_so_far) (i32.const 2)))
              (global.get $frame)
              (local.get $is_at_least)
            )
            (local.get $x_i)
          )
          (local.set $add_so_far (i32.add (local.get $add_so_far) (local.get $as_u32)))
          (local.set $i (i32.add (local.get $i) (i32.const 1)))
          (br_if $next (i32.lt_u (local.get $i) (local.get $n)))
        )
      )
    )
    (i32.store (local.get $kept_length) (local.get $add_so_far))
  )
  (export "kernel" (func $kernel))
)
