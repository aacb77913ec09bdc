import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { toCallError } from '#web/data/api/call-error.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { type GridSource, rowAt, spanOf } from '#web/ui/grid/grid-props.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'

/** Number of records that are checked. */
const MAX_CHECKED = 20

/** Error codes that an outdated schema would explain. */
const SCHEMA_ERROR_CODES = new Set(['collection-not-found', 'invalid-filter', 'invalid-sort', 'invalid-group'])

/**
 * Reloads the schema when a list shows that it changed: added, removed or newly restricted fields, and a deleted
 * collection.
 */
export function useSchemaChanges(
  { fields }: TypedCollection,
  source: GridSource<RecordRow>,
  error: Error | null,
): void {
  const queryClient = useQueryClient()
  const drift = error === null ? driftIn(fields, source) : schemaErrorCode(error)
  useEffect(() => {
    if (drift !== '') void queryClient.invalidateQueries({ queryKey: queryKeys.collections, exact: true })
  }, [queryClient, drift])
}

function schemaErrorCode(error: Error): string {
  const code = toCallError(error)?.code ?? ''
  return SCHEMA_ERROR_CODES.has(code) ? code : ''
}

/** Names known to one side only; a field restricted in some records is present in others. */
function driftIn(fields: TypedCollection['fields'], source: GridSource<RecordRow>): string {
  const { first, end } = spanOf(source)
  const names = new Set<string>()
  for (let at = first; at < Math.min(end, first + MAX_CHECKED); at += 1) {
    for (const name of Object.keys(rowAt(source, at)?.record.values ?? {})) names.add(name)
  }
  if (names.size === 0) return ''
  const known = new Set(fields.map(({ name }) => name))
  const gone = [...known].filter((name) => !names.has(name))
  return [...gone, ...[...names].filter((name) => !known.has(name))].join(' ')
}
