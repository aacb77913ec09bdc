import { TIME_STEP_MS } from './time-step.ts'

/**
 * Loaded into a server before its own code (`node --import`): its clock goes ahead by `CLOCK_AHEAD_MS`, and at every SIGUSR2
 * forward by one step.
 */
let aheadMs = Number(process.env['CLOCK_AHEAD_MS'] ?? 0)

process.on('SIGUSR2', () => {
  aheadMs += TIME_STEP_MS
})

const RealDate = Date

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given: []) =>
    given.length === 0 ? new RealDate(RealDate.now() + aheadMs) : new target(...given),
  get: (target, name, receiver) =>
    name === 'now' ? () => RealDate.now() + aheadMs : Reflect.get(target, name, receiver),
})
