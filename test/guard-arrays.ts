import { guardArrays } from '../src/kernels/kernels.js';

// In all tests a kernel that writes beyond an array, or is given one of another memory, is an error.
guardArrays(true);
