import { readFileSync, writeFileSync } from 'node:fs'

/** How many clock ticks a second has in `/proc`: fixed on every Linux. */
const TICKS_PER_SECOND = 100

const isReadable = process.platform === 'linux'

/** Processor time a process has used so far, in ms; undefined where the system does not tell. */
export function cpuMsOf(pid: number): number | undefined {
  if (!isReadable) return undefined
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name in parentheses may hold spaces; user and system time are the 12th and 13th fields behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND
}

/** Memory of a process in MB, now and at its highest; undefined where the system does not tell. */
export function memoryOf(pid: number): { readonly now: number; readonly highest: number } | undefined {
  if (!isReadable) return undefined
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024
  return { now: megabytes('VmRSS'), highest: megabytes('VmHWM') }
}

/** Has the system forget how much memory a process used at its highest, so that the next part is measured alone. */
export function resetPeakMemory(pid: number): void {
  if (isReadable) writeFileSync(`/proc/${pid}/clear_refs`, '5')
}
