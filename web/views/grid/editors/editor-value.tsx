import type { Field } from '#domain/fields/field.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { CellEditor } from '#web/ui/grid/editing/grid-editing.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import type { ListEdits } from '#web/shared/cell-editing/list-cells.ts'
import { useLayoutEffect, useRef, useState } from 'react'

export function EditorError({ id, fault }: { readonly id: string; readonly fault: string | undefined }) {
  return (
    <p id={id} role="alert" className="cell-editor-fault" hidden={fault === undefined}>
      {fault}
    </p>
  )
}

export type CellEditorProps<SomeField extends Field = Field> = {
  readonly collection: TypedCollection
  readonly cells: ListEdits
  readonly field: SomeField
  readonly line: RecordRow
  readonly editor: CellEditor
}

/** The initial value: the last rejected input, or else the cell's value. */
export function valueToEdit({ record, faults }: RecordRow, { name }: Field): unknown {
  const fault = faults?.[name]
  return fault && Object.hasOwn(fault, 'refused') ? fault.refused : record.values[name]
}

/**
 * Saves when the grid closes the editor. `read` returns the value or its error; on an error the editor stays open and
 * shows it.
 */
export function useEditorValue(
  { cells, field, line, editor }: CellEditorProps,
  read: () => { readonly value: unknown } | { readonly fault: string },
) {
  const [fault, setFault] = useState<string | undefined>(() => line.faults?.[field.name]?.message)
  const latest = useRef(read)
  const isKept = useRef(false)
  useLayoutEffect(() => {
    latest.current = read
  })

  const keep = (value: unknown): boolean => {
    const refusal = cells.gridActions()?.edit(line, field, value)
    setFault(refusal)
    isKept.current = refusal === undefined
    return refusal === undefined
  }
  useLayoutEffect(() => {
    editor.commitRef.current = () => {
      if (isKept.current) return true
      const current = latest.current()
      if ('value' in current) return keep(current.value)
      setFault(current.fault)
      return false
    }
  })
  return { fault, keep, forgive: () => setFault(undefined) }
}
