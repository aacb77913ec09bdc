import { Button, Input, Menu } from '@mantine/core'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useId, useState } from 'react'
import type { RecordBody } from '#api/records.ts'
import type { TransitionBody } from '#api/workflows.ts'
import type { Field } from '#domain/fields/field.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { OptionChip } from '#web/field-kinds/select/option-chip.tsx'
import { Say } from '#web/i18n/say.tsx'
import { t } from '#web/i18n/t.ts'
import { personName } from '#web/shared/fields/record-title.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { notifyFailure } from '#web/shared/navigation/failure-notice.tsx'
import {
  type ChosenTransition,
  requiresComment,
  lastStatusChangeQuery,
  transitionsQuery,
  useTransitionRecord,
} from '#web/shared/workflow/transition-queries.ts'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { IconDots } from '#web/ui/icons/frame.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { RelativeTime } from '#web/ui/text/relative-time.tsx'
import './record-view.css'

/** Loaded on demand, because few transitions require a comment. */
const LazyCommentForm = lazy(() =>
  import('#web/shared/workflow/comment-form.tsx').then((loaded) => ({ default: loaded.CommentForm })),
)

type StatusFieldProps = {
  readonly collection: TypedCollection
  readonly field: Field<'state'>
  readonly record: RecordBody
  readonly state: string | null
  /** Saves pending edits, because they can affect which transitions are available. */
  readonly beforeMove: () => Promise<void>
  readonly onMissing: (fieldName: string) => void
}

export function StatusField(props: StatusFieldProps) {
  const { collection, field, state } = props
  const id = useId()
  const { choose, note, isBusy } = useChosenTransition(props)
  const choice = field.options.choices.find(({ name }) => name === state)
  return (
    <Input.Wrapper id={id} label={field.label} labelElement="div" description={field.description}>
      <div
        className="status-field"
        role="group"
        aria-label={field.label}
        aria-describedby={field.description && `${id}-description`}
      >
        <span className="status-now">
          <OptionChip name={state ?? ''} color={choice?.color ?? 'gray'} />
        </span>
        {collection.can.includes('records:transition') && choice && (
          <Transitions {...props} from={choice.id} isBusy={isBusy} onChoose={choose} />
        )}
        {choice && <RequiredComment {...props} to={choice.id} />}
      </div>
      <Dialog opened={note.of !== undefined} onClose={note.cancel} title={note.of?.name} size={440}>
        {note.of && (
          <Suspense>
            <LazyCommentForm
              actionLabel={note.of.name}
              isRequired={note.of.note === 'required'}
              isBusy={isBusy}
              onCancel={note.cancel}
              onDone={note.done}
            />
          </Suspense>
        )}
      </Dialog>
    </Input.Wrapper>
  )
}

function useChosenTransition({ collection, record, beforeMove, onMissing }: StatusFieldProps) {
  const queryClient = useQueryClient()
  const [asking, setAsking] = useState<TransitionBody>()
  const { mutate, isPending } = useTransitionRecord(collection.name, record.id)
  const run = (chosen: ChosenTransition) =>
    mutate(chosen, { onSuccess: () => setAsking(undefined), onError: notifyFailure() })

  /**
   * Fetched again after saving pending edits, because they affect which transitions are available and which values are
   * missing.
   */
  const check = useMutation({
    mutationFn: async ({ id }: TransitionBody) => {
      await beforeMove()
      const { items } = await queryClient.fetchQuery(transitionsQuery(collection.name, record.id, record.version))
      return items.find((each) => each.id === id)
    },
    onSuccess: (move) => {
      if (!move) return void notify.error(t('This transition is no longer available for this record.'))
      const [missing] = move.missing
      if (missing !== undefined) return onMissing(missing)
      return move.note === 'none' ? run({ move }) : setAsking(move)
    },
    onError: notifyFailure(),
  })
  return {
    choose: check.mutate,
    isBusy: check.isPending || isPending,
    note: {
      of: asking,
      cancel: () => setAsking(undefined),
      done: (note: string) => asking && run({ move: asking, note }),
    },
  }
}

/** Maximum number of buttons; further transitions are in a menu. */
const MAX_BUTTONS = 4

type TransitionsProps = StatusFieldProps & {
  readonly from: string
  readonly isBusy: boolean
  readonly onChoose: (move: TransitionBody) => void
}

function Transitions({ collection, record, from, isBusy, onChoose }: TransitionsProps) {
  const query = transitionsQuery(collection.name, record.id, record.version)
  const { data, error } = useQuery({ ...query, placeholderData: keepPreviousData })
  const possible = collection.workflow?.transitions.filter((transition) => transition.from === from) ?? []
  // Transitions from the previous status remain in the data until the new ones are loaded.
  const moves = data?.items.filter(({ id }) => possible.some((each) => each.id === id))
  const isKnown = moves !== undefined && (moves.length > 0 || data?.items.length === 0)
  if (error) return <p className="state-none">{describeError(error).detail}</p>
  if (!isKnown) return <ReservedButtons names={possible.map(({ name }) => name)} />
  const labelOf = (name: string): string => collection.fields.find((each) => each.name === name)?.label ?? name
  const missing = moves[0]?.missing ?? []
  return (
    <>
      {moves.slice(0, MAX_BUTTONS).map((move, at) => (
        <Button
          key={move.id}
          size="xs"
          variant={at === 0 ? 'filled' : 'default'}
          aria-busy={isBusy}
          onClick={() => !isBusy && onChoose(move)}
        >
          {move.name}
        </Button>
      ))}
      {moves.length > MAX_BUTTONS && (
        <Menu position="bottom-start" width={240}>
          <Menu.Target>
            <Button size="xs" leftSection={<IconDots size={14} stroke={1.75} />}>
              {t('More')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {moves.slice(MAX_BUTTONS).map((move) => (
              <Menu.Item key={move.id} onClick={() => onChoose(move)}>
                {move.name}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {missing.length > 0 && (
        <span className="status-missing">
          {t('Fill in {missing} first', { missing: missing.map(labelOf).join(', ') })}
        </span>
      )}
    </>
  )
}

/** Reserves the space for the buttons, so that nothing shifts when they are loaded. */
const ReservedButtons = ({ names }: { readonly names: readonly string[] }) => (
  <span className="status-reserved" aria-hidden>
    {names.slice(0, MAX_BUTTONS).map((name) => (
      <Button key={name} size="xs" component="span">
        {name}
      </Button>
    ))}
  </span>
)

/** Shows the comment required by the latest transition, such as the reason for sending a record back. */
function RequiredComment({ collection, field, record, state, to }: StatusFieldProps & { readonly to: string }) {
  const isRequired = requiresComment(collection, to)
  const { data } = useQuery({ ...lastStatusChangeQuery(collection, record.id), enabled: isRequired })
  const last = isRequired ? data : undefined
  if (!last || last.changes.find((change) => change.field === field.name)?.after !== state || last.note === null)
    return null
  const when = <RelativeTime at={last.at} />
  return (
    <blockquote className="status-comment">
      <p>{last.note}</p>
      <footer>
        {last.user === null ? when : <Say text="{name}, {when}" values={{ name: personName(last.user.name), when }} />}
      </footer>
    </blockquote>
  )
}
