import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { TransitionBody } from '#api/workflows.ts'
import type { Field } from '#domain/fields/field.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { OptionChip } from '#web/field-kinds/select/option-chip.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { t } from '#web/i18n/t.ts'
import { transitionsQuery, useTransitionRecord } from '#web/shared/workflow/transition-queries.ts'
import { CommentForm } from '#web/shared/workflow/comment-form.tsx'
import '../cell-editors/cell-editor.css'
import type { CellEditorProps } from '#web/field-kinds/field-kind.ts'
import { SelectCellEditor } from '#web/field-kinds/select/cell-editor.tsx'
import { isSetByWorkflow } from '#web/shared/fields/editable-cells.ts'

/** A status field with a workflow is changed through transitions; other status fields work like a select. */
export function StateCellEditor(props: CellEditorProps<Field<'state'>>) {
  return isSetByWorkflow(props.collection, props.field) ? (
    <TransitionEditor {...props} />
  ) : (
    <SelectCellEditor {...props} />
  )
}

function TransitionEditor(props: CellEditorProps<Field<'state'>>) {
  const { collection, line, editor } = props
  const { id } = line.record
  const [asking, setAsking] = useState<TransitionBody>()
  const { mutate, isPending } = useTransitionRecord(collection.name, id)
  useLayoutEffect(() => {
    // The transition runs when it is selected, so closing the editor has nothing to save.
    editor.commitRef.current = () => true
  }, [editor])
  const run = (move: TransitionBody, note?: string) =>
    mutate(
      { move, ...(note !== undefined && { note }) },
      {
        onSuccess: () => editor.onDone('stay'),
        onError: (error) => notify.error(describeError(error).title, { detail: describeError(error).detail }),
      },
    )
  if (asking) {
    return (
      // The form handles Enter and Tab.
      <div className="cell-editor cell-editor-note" onKeyDown={keepKeys}>
        <CommentForm
          actionLabel={asking.name}
          isRequired={asking.note === 'required'}
          isBusy={isPending}
          onCancel={editor.onCancel}
          onDone={(note) => run(asking, note)}
        />
      </div>
    )
  }
  return (
    <Transitions
      {...props}
      isBusy={isPending}
      onChoose={(move) => (move.note === 'none' ? run(move) : setAsking(move))}
    />
  )
}

function keepKeys(event: KeyboardEvent): void {
  if (event.key === 'Enter' || event.key === 'Tab') event.stopPropagation()
}

const storedAlready = (): Promise<void> => Promise.resolve()

type TransitionsProps = CellEditorProps<Field<'state'>> & {
  readonly isBusy: boolean
  readonly onChoose: (move: TransitionBody) => void
}

function Transitions({ collection, cells, field, line, isBusy, onChoose }: TransitionsProps) {
  const settled = () => cells.gridActions()?.writer.settled() ?? storedAlready()
  const { data, error } = useQuery(transitionsQuery(collection.name, line.record.id, line.record.version, settled))
  const listRef = useRef<HTMLDivElement>(null)
  const labelOf = (name: string): string => collection.fields.find((each) => each.name === name)?.label ?? name
  const colorOf = (name: string) => field.options.choices.find((choice) => choice.name === name)?.color ?? 'gray'
  useEffect(() => {
    const first = listRef.current?.querySelector<HTMLElement>('button:not(:disabled)')
    ;(first ?? listRef.current)?.focus({ preventScroll: true })
  }, [data])

  const walk = (event: KeyboardEvent<HTMLDivElement>) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (event.key === 'Enter' && event.target instanceof HTMLButtonElement) return event.stopPropagation()
    if (by === 0) return
    event.preventDefault()
    const moves = [...event.currentTarget.querySelectorAll<HTMLElement>('button:not(:disabled)')]
    const at = moves.findIndex((move) => move === document.activeElement)
    moves[(at + by + moves.length) % moves.length]?.focus()
  }
  return (
    <div ref={listRef} className="cell-editor cell-editor-list" tabIndex={-1} aria-busy={isBusy} onKeyDown={walk}>
      {error && <p className="cell-editor-none">{describeError(error).detail}</p>}
      {!error && !data && <p className="cell-editor-none">{t('Loading transitions…')}</p>}
      {data?.items.length === 0 && (
        <p className="cell-editor-none">{t('You can’t move this record to another status.')}</p>
      )}
      {data?.items.map((move) => (
        <button
          key={move.id}
          type="button"
          className="cell-editor-option"
          disabled={isBusy || move.missing.length > 0}
          onClick={() => onChoose(move)}
        >
          <span>
            {move.name}
            {move.missing.length > 0 && (
              <small>{t('Fill in {missing} first', { missing: move.missing.map(labelOf).join(', ') })}</small>
            )}
          </span>
          <OptionChip name={move.to} color={colorOf(move.to)} />
        </button>
      ))}
    </div>
  )
}
