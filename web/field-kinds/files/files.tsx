import { type FieldKindUi, SHORT_VALUE, type CellProps } from '#web/field-kinds/field-kind.ts'
import { lazyComponent } from '#web/ui/loading/lazy-module.tsx'
import type { FileBody } from '#api/records.ts'
import { previewOf } from '#domain/assets/preview.ts'
import { t } from '#web/i18n/t.ts'
import { Highlighted, useHighlightedEntries } from '#web/field-kinds/value-highlights.tsx'
import { FileIcon } from '#web/shared/files/file-icon.tsx'
import { type FilesGroup, openFilePreview } from '#web/shared/files/visible-files.ts'
import '../field-kinds.css'

const MAX_SHOWN = 3

/** File names are usually hidden, but search matches are shown. */
function FoundFiles({ value }: Pick<CellProps<'files'>, 'value'>) {
  const places = useHighlightedEntries()
  return value.map(({ id, name }, at) =>
    places.has(at) ? (
      <span key={id} className="cell-file-name" aria-hidden>
        <Highlighted text={name} entry={at} />
      </span>
    ) : null,
  )
}

function FileThumbnail({ name, type, width, height, thumbUrl }: FileBody) {
  if (thumbUrl !== null) return <img src={thumbUrl} alt="" loading="lazy" decoding="async" />
  return <FileIcon preview={previewOf({ name, type, width, height })} type={type} size={14} />
}

export const groupOf = (field: { readonly label: string }, files: readonly FileBody[]): FilesGroup => ({
  key: '',
  files,
  place: field.label,
})

function FilesCell({ field, value }: CellProps<'files'>) {
  if (value.length === 0) return null
  const names = value.map((file) => file.name).join(', ')
  return (
    <span className="cell-chips" title={names}>
      {value.slice(0, MAX_SHOWN).map((file) => (
        // Not focusable: Space on the cell opens the viewer, and screen readers get the file names below.
        <button
          key={file.id}
          type="button"
          className="cell-thumb"
          tabIndex={-1}
          aria-label={t('Preview {name}', { name: file.name })}
          onClick={() => openFilePreview(file.id, groupOf(field, value))}
        >
          <FileThumbnail {...file} />
        </button>
      ))}
      {value.length > MAX_SHOWN && <span className="cell-more">+{value.length - MAX_SHOWN}</span>}
      <FoundFiles value={value} />
      <span className="visually-hidden">{names}</span>
    </span>
  )
}

export const filesUi: FieldKindUi<'files'> = {
  ...SHORT_VALUE,
  Cell: FilesCell,
  Input: lazyComponent(() => import('./input.tsx'), 'FilesInput'),
  defaultOptions: {},
  OptionsForm: lazyComponent(() => import('./options.tsx'), 'FilesOptionsForm'),
  CellEditor: lazyComponent(() => import('./cell-editor.tsx'), 'FilesCellEditor'),
  columnWidthPx: 140,
  isWide: true,
  canHaveDefault: false,
  canBePreset: false,
}
