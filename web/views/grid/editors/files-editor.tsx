import { useState } from 'react'
import type { FileBody } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import { FilesInput } from '#web/field-kinds/files/input.tsx'
import { toClientValue } from '#web/shared/fields/client-value.ts'
import type { CellEditorProps } from './cell-editor-props.ts'
import { useEditorValue } from './use-editor-value.ts'

/** The files of a cell: each is stored as it arrives, so there is nothing to keep when it closes. */
export function FilesEditor(props: CellEditorProps<Field<'files'>>) {
  const { collection, field, line } = props
  const [files, setFiles] = useState<readonly FileBody[]>(() => toClientValue('files', line.record.values[field.name]))
  const { fault, keep } = useEditorValue(props, () => ({ value: files }))
  const change = (next: readonly FileBody[]) => {
    setFiles(next)
    keep(next)
  }
  return (
    <div
      className="cell-editor cell-editor-files"
      tabIndex={-1}
      ref={(place) => place?.querySelector<HTMLElement>('button, input')?.focus()}
    >
      <FilesInput
        field={field}
        value={files}
        onChange={change}
        label={field.label}
        error={fault}
        place={{ collection: collection.name, record: line.record.id }}
      />
    </div>
  )
}
