import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { Input, Menu, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { TransitionBody } from '#api/workflows.ts'
import type { Field } from '#domain/fields/field.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { OptionChip } from '#web/field-kinds/select/option-chip.tsx'
import { IconChevronDown } from '#web/ui/icons/frame.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { t } from '#web/i18n/t.ts'
import {
  type ChosenTransition,
  transitionsQuery,
  useTransitionRecord,
} from '#web/shared/workflow/transition-queries.ts'
import { notifyFailure } from '#web/shared/navigation/failure-notice.tsx'
import './record-view.css'

/** Loaded on demand: few transitions ask for a comment. */
const LazyCommentForm = lazy(() =>
  import('#web/shared/workflow/comment-form.tsx').then((loaded) => ({ default: loaded.CommentForm })),
)

type StatusFieldProps = {
  readonly collection: TypedCollection
  readonly field: Field<'state'>
  readonly recordId: string
  readonly state: string | null
  /** Saves pending edits, which transitions depend on. */
  readonly beforeMove: () => Promise<void>
  readonly onMissing: (fieldName: string) => void
}

export function StatusField(props: StatusFieldProps) {
  const { collection, field, state } = props
  const { choose, note } = useChosenTransition(props)
  return (
    <Input.Wrapper label={field.label}>
      {collection.can.includes('records:transition') ? (
        <TransitionsMenu {...props} isBusy={note.isBusy} onChoose={choose} />
      ) : (
        <StateChip field={field} state={state} />
      )}
      <Dialog opened={note.of !== undefined} onClose={note.cancel} title={note.of?.name} size={440}>
        {note.of && (
          <Suspense>
            <LazyCommentForm
              actionLabel={note.of.name}
              isRequired={note.of.note === 'required'}
              isBusy={note.isBusy}
              onCancel={note.cancel}
              onDone={note.done}
            />
          </Suspense>
        )}
      </Dialog>
    </Input.Wrapper>
  )
}

function useChosenTransition({ collection, recordId }: StatusFieldProps) {
  const [asking, setAsking] = useState<TransitionBody>()
  const { mutate, isPending } = useTransitionRecord(collection.name, recordId)
  const run = (chosen: ChosenTransition) =>
    mutate(chosen, {
      onSuccess: () => {
        setAsking(undefined)
        notify.success(t('Status changed to {to}', { to: chosen.move.to }))
      },
      onError: notifyFailure(),
    })
  return {
    choose: (move: TransitionBody) => (move.note === 'none' ? run({ move }) : setAsking(move)),
    note: {
      of: asking,
      isBusy: isPending,
      cancel: () => setAsking(undefined),
      done: (note: string) => asking && run({ move: asking, note }),
    },
  }
}

type TransitionsMenuProps = StatusFieldProps & {
  readonly isBusy: boolean
  readonly onChoose: (move: TransitionBody) => void
}

function TransitionsMenu(props: TransitionsMenuProps) {
  const { field, state, isBusy, onMissing } = props
  const [isOpen, setOpen] = useState(false)
  // Focus goes to the required field instead of the button.
  const [isLeading, setLeading] = useState(false)
  const open = (opened: boolean) => {
    setOpen(opened)
    if (opened) setLeading(false)
  }
  const lead = (fieldName: string) => {
    setLeading(true)
    onMissing(fieldName)
  }
  return (
    <Menu opened={isOpen} onChange={open} returnFocus={!isLeading} position="bottom-start" width={280}>
      <Menu.Target>
        <UnstyledButton
          className="state-button"
          aria-label={t('{label}: {state}. Change status', { label: field.label, state: state ?? '' })}
          aria-busy={isBusy}
        >
          <StateChip field={field} state={state} />
          <IconChevronDown size={14} stroke={1.75} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>{isOpen && <Transitions {...props} onMissing={lead} />}</Menu.Dropdown>
    </Menu>
  )
}

function StateChip({ field, state }: { readonly field: Field<'state'>; readonly state: string | null }) {
  const choice = field.options.choices.find(({ name }) => name === state)
  return <OptionChip name={state ?? ''} color={choice?.color ?? 'gray'} />
}

function Transitions({
  collection,
  field,
  recordId,
  beforeMove,
  onMissing,
  onChoose,
}: Omit<TransitionsMenuProps, 'isBusy'>) {
  const { data, error } = useQuery(transitionsQuery(collection.name, recordId, beforeMove))
  if (error) return <p className="state-none">{describeError(error).detail}</p>
  if (!data) return <p className="state-none">{t('Loading transitions…')}</p>
  if (data.items.length === 0) return <p className="state-none">{t('You can’t move this record to another status.')}</p>
  const labelOf = (name: string): string => collection.fields.find((each) => each.name === name)?.label ?? name
  return data.items.map((move) => {
    const [missing] = move.missing
    return (
      <Menu.Item
        key={move.id}
        onClick={() => (missing === undefined ? onChoose(move) : onMissing(missing))}
        rightSection={<StateChip field={field} state={move.to} />}
      >
        <span className="state-move">{move.name}</span>
        {missing !== undefined && (
          <span className="state-missing">
            {t('Fill in {missing} first', { missing: move.missing.map(labelOf).join(', ') })}
          </span>
        )}
      </Menu.Item>
    )
  })
}
