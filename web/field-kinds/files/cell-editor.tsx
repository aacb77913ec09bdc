import { useState } from 'react'
import type { FileBody } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import { useEditorValue } from '#web/field-kinds/cell-editors/editor-value.tsx'
import type { CellEditorProps } from '#web/field-kinds/field-kind.ts'
import { toClientValue } from '#web/shared/fields/client-value.ts'
import { FilesInput } from './input.tsx'

/** Saves each file as soon as it is uploaded, so closing the editor has nothing left to save. */
export function FilesCellEditor(props: CellEditorProps<Field<'files'>>) {
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
