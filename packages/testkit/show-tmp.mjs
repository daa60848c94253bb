import {CASES} from "/tmp/wt/lanes/packages/testkit/dist/index.js";
import {emit} from "/tmp/wt/lanes/packages/core/dist/index.js";
import {wgsl, WGSL_CAPABILITIES} from "/tmp/wt/lanes/packages/target-wgsl/dist/index.js";
import {opencl} from "/tmp/wt/lanes/packages/target-opencl/dist/index.js";
const [,, name, target] = process.argv;
const c=CASES.find(c=>c.name===name);
console.log(target==="cl" ? emit(c.ir,opencl).files[0].text : emit(c.ir,wgsl,{capabilities:{...WGSL_CAPABILITIES, subgroups:{minSize:4,maxSize:128}}}).files[0].text);
