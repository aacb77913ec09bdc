import { Button, NumberInput, Skeleton } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { changeSessionPolicy, readSessionPolicy } from '#api/workspace.ts'
import {
  DEFAULT_SESSION_POLICY,
  describeMinutes,
  LIFETIME_NAMES,
  lifetimeOf,
  MAX_SESSION_LIMIT,
  type SessionLifetime,
  type SessionPolicy,
  validateSessionPolicy,
} from '#domain/sessions/session-policy.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { call } from '#web/data/api/call.ts'
import { partMessage } from '#web/data/api/error-messages.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { t } from '#web/i18n/t.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { Select } from '#web/ui/dropdown/select.tsx'
import { Panel } from '#web/ui/layout/panel.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import './session-policy-panel.css'

type LifetimeName = (typeof LIFETIME_NAMES)[number]

type LifetimePart = keyof SessionLifetime

const HOUR = 60
const DAY = 24 * HOUR

/** Common durations in minutes. */
const USUAL_MINUTES = [
  5,
  15,
  30,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  3 * DAY,
  7 * DAY,
  14 * DAY,
  30 * DAY,
]

type MinutesOption = { readonly value: string; readonly label: string }

/** Common values up to the maximum, and the current one. */
export function minutesOptions(name: LifetimeName, part: LifetimePart, current: number): readonly MinutesOption[] {
  const longest = DEFAULT_SESSION_POLICY[name][part]
  const all = new Set([...USUAL_MINUTES.filter((minutes) => minutes <= longest), current])
  return [...all]
    .toSorted((left, right) => left - right)
    .map((minutes) => ({ value: String(minutes), label: describeMinutes(minutes) }))
}

export const withMinutes = (
  policy: SessionPolicy,
  [name, part]: readonly [LifetimeName, LifetimePart],
  minutes: number,
): SessionPolicy => ({ ...policy, [name]: { ...policy[name], [part]: minutes } })

/** Returns a hint with the effective value if a limit is capped by the one for remembered sessions. */
export function overriddenHint(policy: SessionPolicy, name: LifetimeName, part: LifetimePart): string | undefined {
  const minutes = lifetimeOf(policy, name === 'remembered')[part]
  return minutes === policy[name][part]
    ? undefined
    : t('The shorter limit above also applies here: {minutesInWords}.', { minutesInWords: describeMinutes(minutes) })
}

export const isSamePolicy = (one: SessionPolicy, other: SessionPolicy): boolean =>
  one.mostSessions === other.mostSessions &&
  LIFETIME_NAMES.every(
    (name) =>
      one[name].idleMinutes === other[name].idleMinutes && one[name].longestMinutes === other[name].longestMinutes,
  )

const sessionPolicyQuery = queryOptions({
  queryKey: queryKeys.sessionPolicy,
  queryFn: ({ signal }) => call(readSessionPolicy, { signal }),
})

export function SessionPolicyPanel() {
  const { data: policy, error, refetch } = useQuery(sessionPolicyQuery)
  return (
    <Panel
      mark="session-policy"
      title={t('Sessions')}
      lead={t('How long people stay signed in. Shorter times take effect immediately for everyone, including you.')}
    >
      {error && !policy && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {!policy && !error && <Skeleton height={320} radius="sm" />}
      {policy && <SessionPolicyForm policy={policy} />}
    </Panel>
  )
}

/** Error codes that need no notice: shown next to the field, or canceled. */
const SHOWN_ELSEWHERE = ['aborted', 'values-invalid']

function usePolicyChange(onSaved: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (policy: SessionPolicy) => call(changeSessionPolicy, { body: policy }),
    onSuccess(saved) {
      queryClient.setQueryData(queryKeys.sessionPolicy, saved)
      for (const queryKey of [queryKeys.sessions, queryKeys.audit]) void queryClient.invalidateQueries({ queryKey })
      onSaved()
      notify.success(t('Session limits saved.'), { detail: t('Takes effect immediately for everyone.') })
    },
  })
}

function SessionPolicyForm({ policy }: { readonly policy: SessionPolicy }) {
  // Undefined if unchanged; the form then shows the server's values.
  const [edited, setEdited] = useState<SessionPolicy>()
  const change = usePolicyChange(() => setEdited(undefined))
  const draft = edited ?? policy
  const faults = validateSessionPolicy(draft)
  const isChanged = !isSamePolicy(draft, policy)
  const failedCode = toCallError(change.error)?.code ?? ''

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (faults.length > 0) event.currentTarget.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    else if (isChanged && !change.isPending) change.mutate(draft)
  }

  const errorAt = (path: string): string | undefined =>
    faults.find((fault) => fault.path === path)?.message ?? partMessage(change.error, path)

  const lifetimeProps = { draft, errorAt, onDraft: setEdited }
  return (
    <form onSubmit={submit} className="session-policy" noValidate>
      {change.error && !SHOWN_ELSEWHERE.includes(failedCode) && <FailureNotice error={change.error} />}
      <LifetimeFields {...lifetimeProps} name="remembered" legend={t('With “Keep me signed in”')} />
      <LifetimeFields {...lifetimeProps} name="notRemembered" legend={t('Without “Keep me signed in”')} />
      <WithHelp setting="session-most">
        <NumberInput
          className="session-policy-most"
          label={t('Maximum sessions per user')}
          description={t('Signing in beyond the limit ends the least recently used session.')}
          placeholder={t('No limit')}
          allowDecimal={false}
          allowNegative={false}
          maxLength={String(MAX_SESSION_LIMIT).length}
          value={draft.mostSessions ?? ''}
          error={errorAt('mostSessions')}
          onChange={(max) => setEdited({ ...draft, mostSessions: max === '' ? null : Number(max) })}
        />
      </WithHelp>
      <div className="session-policy-actions">
        <Button type="submit" variant="filled" disabled={!isChanged} loading={change.isPending}>
          {t('Save session limits')}
        </Button>
        {isChanged && <Button onClick={() => setEdited(undefined)}>{t('Discard')}</Button>}
      </div>
    </form>
  )
}

type LifetimeFieldsProps = {
  readonly name: LifetimeName
  readonly legend: string
  readonly draft: SessionPolicy
  readonly errorAt: (path: string) => string | undefined
  readonly onDraft: (draft: SessionPolicy) => void
}

const PART_SETTINGS = { idleMinutes: 'session-idle', longestMinutes: 'session-longest' } as const

const PART_LABELS: { readonly [Part in LifetimePart]: string } = {
  idleMinutes: t('Idle timeout'),
  longestMinutes: t('Maximum session length'),
}

function LifetimeFields({ name, legend, draft, errorAt, onDraft }: LifetimeFieldsProps) {
  return (
    <fieldset className="session-policy-lifetime">
      <legend>{legend}</legend>
      {(['idleMinutes', 'longestMinutes'] as const).map((part) => (
        <WithHelp key={part} setting={PART_SETTINGS[part]}>
          <Select
            label={PART_LABELS[part]}
            data={[...minutesOptions(name, part, draft[name][part])]}
            value={String(draft[name][part])}
            error={errorAt(`${name}.${part}`)}
            description={overriddenHint(draft, name, part)}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            onChange={(minutes) => minutes !== null && onDraft(withMinutes(draft, [name, part], Number(minutes)))}
          />
        </WithHelp>
      ))}
    </fieldset>
  )
}
