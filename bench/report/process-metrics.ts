import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

/** Clock ticks per second in `/proc`; constant on Linux. */
const TICKS_PER_SECOND = 100

const isReadable = process.platform === 'linux'

/** CPU time used by a process in ms; undefined on unsupported platforms. */
export function cpuMsOf(pid: number): number | undefined {
  if (!isReadable) return undefined
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name in parentheses may contain spaces; user and system time are the 12th and 13th fields after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND
}

/** Current and peak memory of a process in MB; undefined on unsupported platforms. */
export function memoryOf(pid: number): { readonly now: number; readonly highest: number } | undefined {
  if (!isReadable) return undefined
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024
  return { now: megabytes('VmRSS'), highest: megabytes('VmHWM') }
}

/** Memory of a process and all its descendants in MB; undefined on unsupported platforms. */
export function memoryOfTree(pid: number): number | undefined {
  if (!isReadable) return undefined
  const parents = new Map(
    readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [[Number(name), parentOf(name)] as const] : [])),
  )
  const isInTree = (one: number | undefined): boolean =>
    one !== undefined && (one === pid || isInTree(parents.get(one)))
  return [...parents.keys()].filter(isInTree).reduce((sum, one) => sum + (memoryOf(one)?.now ?? 0), 0)
}

/** A process can end while it is being looked at. */
function parentOf(pid: string): number | undefined {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) || undefined
  } catch {
    return undefined
  }
}

/** Resets peak memory, so that each part is measured separately. */
export function resetPeakMemory(pid: number): void {
  if (isReadable) writeFileSync(`/proc/${pid}/clear_refs`, '5')
}
