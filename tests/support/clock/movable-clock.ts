import { readFileSync } from 'node:fs'
import { TIME_STEP_MS } from './time-step.ts'

/**
 * Loaded into a server before its own code (`node --import`): its clock goes ahead by `CLOCK_AHEAD_MS`. At every SIGUSR2 it
 * goes forward by one step, or jumps to be ahead by as much as the file says that `CLOCK_FILE` names, in ms.
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
