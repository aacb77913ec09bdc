const two = (part: number) => String(part).padStart(2, '0')

/** An instant as the browser's own field writes it: in the reader's zone, `2026-03-01T14:30`. */
export function localOfInstant(instant: string): string {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return ''
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  const seconds = date.getSeconds() === 0 ? '' : `:${two(date.getSeconds())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}${seconds}`
}

/** The instant meant by what stands in the field, in UTC with milliseconds; null while it is incomplete. */
export function instantOfLocal(local: string): string | null {
  if (local === '') return null
  const date = new Date(local)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
