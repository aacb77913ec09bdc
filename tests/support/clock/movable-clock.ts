import { readFileSync } from 'node:fs'
import { TIME_STEP_MS } from './time-step.ts'

/**
 * Preloaded into a server with `node --import`: its clock starts `CLOCK_AHEAD_MS` ahead. SIGUSR2 advances it by one
 * step, or sets it to the offset in ms in the file `CLOCK_FILE`.
 */
let aheadMs = Number(process.env['CLOCK_AHEAD_MS'] ?? 0)

const file = process.env['CLOCK_FILE']

process.on('SIGUSR2', () => {
  aheadMs = file === undefined ? aheadMs + TIME_STEP_MS : Number(readFileSync(file, 'utf8'))
})

const RealDate = Date

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given: []) =>
    given.length === 0 ? new RealDate(RealDate.now() + aheadMs) : new target(...given),
  get: (target, name, receiver) =>
    name === 'now' ? () => RealDate.now() + aheadMs : Reflect.get(target, name, receiver),
})
