import { useLayoutEffect, useRef, useState } from 'react'
import type { Field } from '#domain/fields/field.ts'
import type { CellEditorProps } from '#web/field-kinds/field-kind.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'

export function EditorError({ id, fault }: { readonly id: string; readonly fault: string | undefined }) {
  return (
    <p id={id} role="alert" className="cell-editor-fault" hidden={fault === undefined}>
      {fault}
    </p>
  )
}

/** The value that was last rejected, otherwise the cell's value. */
export function valueToEdit({ record, faults }: RecordRow, { name }: Field): unknown {
  const fault = faults?.[name]
  return fault && Object.hasOwn(fault, 'refused') ? fault.refused : record.values[name]
}

/**
 * Stores the editor's value when the grid closes it; if `read` returns an error, the editor stays open and shows it.
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

  /** Returns whether the cell accepted the value. */
  const keep = (value: unknown): boolean => {
    const rejection = cells.gridActions()?.edit(line, field, value)
    setFault(rejection)
    isKept.current = rejection === undefined
    return rejection === undefined
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
  return { fault, keep, clearFault: () => setFault(undefined) }
}
