import type { ImportBody, ImportPreview } from '#api/imports.ts'
import type { Actor } from '#domain/access/actor.ts'
import { SYSTEM_LABELS, isSystemField } from '#domain/fields/system-fields.ts'
import type { FieldKind } from '#domain/fields/field.ts'
import { ENCODINGS } from '#domain/imports/encodings.ts'
import { columnLabels, guessTitleColumn, isImportable, mapColumns } from '#domain/imports/map-columns.ts'
import { Problem } from '#domain/shared/problem.ts'
import { type AllowedCollection, getCollection } from '#server/query/definitions/find-collection.ts'
import { cancelImport } from './cancel-import.ts'
import type { ImportDeps } from './import-deps.ts'
import type { StartBody } from './prepare-target.ts'
import { startImport } from './start-import.ts'
import type { StoredImport } from './stored-import.ts'
import { type IncomingCsv, receiveCsv } from './receive-csv.ts'

/** Field types come from the collection, so only header and format are needed. */
const ROWS_INSPECTED = 1_000

export type OnBadRow = StartBody['onBadRow']

/** Imports a CSV into a collection by its header. Unknown columns are rejected, not skipped. */
export async function importInto(
  deps: ImportDeps,
  actor: Actor,
  nameOrId: string,
  incoming: IncomingCsv & { readonly onBadRow: OnBadRow; readonly key?: string | undefined },
): Promise<ImportBody> {
  const definitions = await deps.definitions.current()
  const allowed = getCollection(definitions, actor, 'records:import', nameOrId)
  const known = { ...incoming.known, hasHeader: true }
  const item = await receiveCsv(deps, actor, { ...incoming, known, maxRows: ROWS_INSPECTED })
  const start = async () => {
    assertKnownEncoding(item, incoming)
    const columns = columnsInto(allowed, item.look?.preview.columns ?? [], incoming.key)
    return startImport(deps, actor, item.id, {
      into: { collection: allowed.collection.id },
      columns,
      onBadRow: incoming.onBadRow,
      key: incoming.key,
    })
  }
  // The import can't be resumed, so a failed start leaves nothing behind.
  return start().then(undefined, async (error: unknown) => {
    await cancelImport(deps, actor, item.id)
    throw error
  })
}

/** No one reviews the preview, so a guessed encoding isn't enough. */
function assertKnownEncoding({ look }: StoredImport, { known }: IncomingCsv): void {
  if (!look || known?.encoding || look.preview.confidence === 'certain') return
  const { encoding } = look.preview
  throw new Problem(
    'invalid-csv',
    `The file isn’t encoded in UTF-8; its encoding is probably ${ENCODINGS[encoding]}. Set encoding=${encoding}, or save the file as “CSV UTF-8”. Nothing was imported.`,
  )
}

/** Maps columns by header; skips columns that occur only in exports. */
function columnsInto(
  { collection, decision }: AllowedCollection,
  columns: ImportPreview['columns'],
  key: string | undefined,
): StartBody['columns'] {
  const headers = columns.map((column) => column.header)
  const fields = mapColumns(headers, collection, decision.hiddenFields)
  const keyField = collection.fields.find((field) => field.name === key && !decision.hiddenFields.has(field.id))
  const isKey = (header: string): boolean =>
    key === 'id' ? header === 'id' : keyField !== undefined && [keyField.name, keyField.label].includes(header)
  const isLeftOut = (header: string): boolean =>
    isSystemField(header) ||
    Object.values(SYSTEM_LABELS).includes(header) ||
    collection.fields.some((field) => !isImportable(field.kind) && (field.name === header || field.label === header))
  const strangers = headers.filter((header, at) => !fields[at] && !isLeftOut(header))
  if (strangers.length > 0) {
    const names = strangers.slice(0, 5).map((header) => (header === '' ? 'one without a header' : `“${header}”`))
    throw new Problem(
      'invalid-csv',
      `${collection.label} has no field for ${strangers.length === 1 ? 'this column' : 'these columns'}: ${names.join(', ')}. Rename or remove unknown columns. Nothing was imported.`,
    )
  }
  return fields.map((field, at) => {
    if (field) return { field: field.id }
    if (!isKey(headers[at] ?? '')) return { skip: true as const }
    return keyField ? { field: keyField.id } : { id: true as const }
  })
}

export function planNewCollection(label: string, { columns }: ImportPreview): StartBody {
  const labels = columnLabels(columns)
  return {
    into: { newCollection: { label } },
    columns: columns.map(({ kind, options, format, misfitCount }, at) => ({
      newField: {
        label: labels[at] ?? '',
        // No one can fix cells that don't match the detected kind, so the column stays text.
        kind: misfitCount > 0 ? 'text' : (kind satisfies FieldKind),
        required: false,
        unique: false,
        options,
      },
      format,
    })),
    titleColumn: guessTitleColumn(columns) ?? undefined,
    onBadRow: 'stop',
  }
}
