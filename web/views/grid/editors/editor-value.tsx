import type { Field } from '#domain/fields/field.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { CellEditor } from '#web/ui/grid/editing/grid-editing.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import type { ListEdits } from '#web/shared/cell-editing/list-cells.ts'
import { useLayoutEffect, useRef, useState } from 'react'

/** What is wrong with what stands in an editor, right below it. */
export function EditorError({ id, fault }: { readonly id: string; readonly fault: string | undefined }) {
  return (
    <p id={id} role="alert" className="cell-editor-fault" hidden={fault === undefined}>
      {fault}
    </p>
  )
}

/** What an editor of a cell is told. */
export type CellEditorProps<SomeField extends Field = Field> = {
  readonly collection: TypedCollection
  readonly cells: ListEdits
  readonly field: SomeField
  readonly line: RecordRow
  readonly editor: CellEditor
}

/** What an editor begins with: what was refused last time, else what the cell holds. */
export function valueToEdit({ record, faults }: RecordRow, { name }: Field): unknown {
  const fault = faults?.[name]
  return fault && Object.hasOwn(fault, 'refused') ? fault.refused : record.values[name]
}

/**
 * Keeps what stands in an editor when the grid closes it. `read` gives the value, or what is wrong with what was typed;
 * then the editor stays open and says so.
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

  /** Gives the cell this value; false when it is not taken. */
  const keep = (value: unknown): boolean => {
    const refusal = cells.hands()?.edit(line, field, value)
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
