/** `node bench/plot-growth.ts <result.json> … > picture.svg`: plots benchmark results by the number of records. */
import { readFileSync } from 'node:fs'
import { growthSvg } from './report/growth-svg.ts'
import type { BenchResult } from './report/result.ts'

// The benchmark wrote this file, so its format is known.
const results = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, 'utf8')) as BenchResult)
process.stdout.write(growthSvg(results))
