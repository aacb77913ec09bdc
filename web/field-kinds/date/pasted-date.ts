import type { ClipboardEvent } from 'react'
import type { Field } from '#domain/fields/field.ts'
import { parseValue } from '#domain/fields/kinds.ts'
import { LOCAL_FORMAT } from '#web/shared/formatting/local-format.ts'

/** Accepts dates pasted in any format into a native date input, which itself supports only a few formats. */
export function pastedDate(event: ClipboardEvent, field: Field): string | undefined {
  const read = parseValue(field, event.clipboardData.getData('text/plain'), LOCAL_FORMAT)
  if (!read.ok || typeof read.value !== 'string') return undefined
  event.preventDefault()
  return read.value
}
