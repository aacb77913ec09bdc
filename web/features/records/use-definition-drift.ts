import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { asCallFailed } from '#web/client/call-failed.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { type GridSource, rowAt, spanOf } from '#web/kit/grid/grid-source.ts'
import type { RecordLine } from './record-line.ts'

/** So many records of a list are looked at. */
const LOOKED_AT = 20

/** Refusals that a definition which is older than the server's would explain. */
const TELLING = new Set(['collection-not-found', 'invalid-filter', 'invalid-sort', 'invalid-group'])

/**
 * Reads the definitions anew where a list shows that they have changed since: fields that came or went, for everybody or
 * for whoever looks, and a collection that is gone.
 */
export function useDefinitionDrift(
  { fields }: KnownCollection,
  source: GridSource<RecordLine>,
  error: Error | null,
): void {
  const queryClient = useQueryClient()
  const drift = error === null ? driftIn(fields, source) : tellingCode(error)
  useEffect(() => {
    if (drift !== '') void queryClient.invalidateQueries({ queryKey: queryKeys.collections, exact: true })
  }, [queryClient, drift])
}

function tellingCode(error: Error): string {
  const code = asCallFailed(error)?.code ?? ''
  return TELLING.has(code) ? code : ''
}

/** The names that only one side knows; a field that is closed in some records only is there in others. */
function driftIn(fields: KnownCollection['fields'], source: GridSource<RecordLine>): string {
  const { first, end } = spanOf(source)
  const names = new Set<string>()
  for (let at = first; at < Math.min(end, first + LOOKED_AT); at += 1) {
    for (const name of Object.keys(rowAt(source, at)?.record.values ?? {})) names.add(name)
  }
  if (names.size === 0) return ''
  const known = new Set(fields.map(({ name }) => name))
  const gone = [...known].filter((name) => !names.has(name))
  return [...gone, ...[...names].filter((name) => !known.has(name))].join(' ')
}
