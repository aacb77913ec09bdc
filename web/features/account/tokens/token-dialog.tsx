import { Button, Checkbox, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { createToken } from '#api/account.ts'
import { isPerCollection, parseScope, TOKEN_PERMISSIONS } from '#domain/access/grant.ts'
import type { Permission } from '#domain/access/permission.ts'
import { call } from '#web/data/api/call.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { t } from '#web/i18n/t.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { OptionSet } from '#web/ui/controls/option-set.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { MultiSelect, Select } from '#web/ui/dropdown/select.tsx'
import { FormActions } from '#web/ui/dialogs/form-actions.tsx'
import '#web/features/account/account-dialog.css'
import { PERMISSION_LABELS } from '#web/shared/formatting/permission-labels.ts'
import './token-dialog.css'

export type TokenExtent = {
  readonly permissions: readonly Permission[]
  /** Collection IDs; an empty list means all collections that the user has access to. */
  readonly collections: readonly string[]
}

type TokenDraft = TokenExtent & {
  readonly name: string
  readonly days: TokenDays
}

/** Lifetime in days; `never` means that the token doesn't expire. */
const TOKEN_DAYS = ['30', '90', '365', 'never'] as const

type TokenDays = (typeof TOKEN_DAYS)[number]

/** Default for new tokens: most programs only read data and should be reviewed after a few months. */
export const START_DRAFT: TokenDraft = { name: '', permissions: ['records:read'], collections: [], days: '90' }

const DAY_MS = 24 * 60 * 60 * 1000

/** The user's permissions, except those that require a browser session. */
export const availablePermissions = (scope: readonly string[]): readonly Permission[] =>
  TOKEN_PERMISSIONS.filter((permission) => scope.includes(permission))

/** Scopes for workspace permissions don't contain a collection. */
export function scopesOf({ permissions, collections }: TokenExtent): string[] {
  return permissions.flatMap((permission) =>
    collections.length === 0 || !isPerCollection(permission)
      ? [permission]
      : collections.map((collection) => `${permission}@${collection}`),
  )
}

/** Undefined if permissions differ between collections, which the form can't display. */
export function extentOf(scopes: readonly string[]): TokenExtent | undefined {
  const parsed = scopes.flatMap((scope) => parseScope(scope) ?? [])
  const permissions = TOKEN_PERMISSIONS.filter((one) => parsed.some(({ permission }) => permission === one))
  const collections = [...new Set(parsed.flatMap(({ collection }) => collection ?? []))]
  const same = new Set(scopesOf({ permissions, collections }))
  const isSame = same.size === new Set(scopes).size && scopes.every((scope) => same.has(scope))
  return isSame ? { permissions, collections } : undefined
}

/** Returns null if the token never expires. */
export const expiryOf = ({ days }: TokenDraft, nowMs: number): string | null =>
  days === 'never' ? null : new Date(nowMs + Number(days) * DAY_MS).toISOString()

type TokenInputProps<Value> = { readonly chosen: Value; readonly onChange: (chosen: Value) => void }

export function TokenPermissions({ chosen, onChange }: TokenInputProps<readonly Permission[]>) {
  // Also lists permissions that the token already has, so that they can be removed.
  const [had] = useState(chosen)
  const offered = availablePermissions([...(useUser()?.scope ?? []), ...had])
  const toggle = (permission: Permission, isOn: boolean) =>
    onChange(offered.filter((one) => (one === permission ? isOn : chosen.includes(one))))
  return (
    <WithHelp setting="token-may">
      <OptionSet legend={t('Permissions')} isWide>
        {offered.map((permission) => (
          <Checkbox
            key={permission}
            label={PERMISSION_LABELS[permission]}
            checked={chosen.includes(permission)}
            onChange={({ currentTarget }) => toggle(permission, currentTarget.checked)}
          />
        ))}
      </OptionSet>
    </WithHelp>
  )
}

export function TokenCollections({ chosen, onChange }: TokenInputProps<readonly string[]>) {
  const { data: collections = [] } = useQuery(collectionsQuery)
  const known = collections.map(({ id, label }) => ({ value: id, label }))
  const deleted = chosen.filter((id) => !collections.some((one) => one.id === id))
  return (
    <WithHelp setting="token-collections">
      <MultiSelect
        label={t('Collections')}
        description={t('If empty, the token covers all collections you can access, including new ones')}
        placeholder={chosen.length === 0 ? t('All collections') : undefined}
        searchable
        data={[...known, ...deleted.map((value) => ({ value, label: t('Deleted collection') }))]}
        value={[...chosen]}
        onChange={onChange}
      />
    </WithHelp>
  )
}

const EXPIRY_LABELS: { readonly [Days in TokenDays]: string } = {
  '30': t('in 30 days'),
  '90': t('in 90 days'),
  '365': t('in a year'),
  never: t('never'),
}

function TokenExpiry({ chosen, onChange }: TokenInputProps<TokenDays>) {
  return (
    <WithHelp setting="token-end">
      <Select
        label={t('Expires')}
        data={TOKEN_DAYS.map((value) => ({ value, label: EXPIRY_LABELS[value] }))}
        value={chosen}
        onChange={(value) => value !== null && onChange(value)}
      />
    </WithHelp>
  )
}

type TokenDialogProps = { readonly onClose: () => void }

export function TokenDialog({ onClose }: TokenDialogProps) {
  const queryClient = useQueryClient()
  const make = useMutation({
    mutationFn: (draft: TokenDraft) => {
      const body = { name: draft.name.trim(), scopes: scopesOf(draft), expiresAt: expiryOf(draft, Date.now()) }
      return call(createToken, { body })
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.tokens }),
  })
  const isMade = make.data !== undefined
  return (
    <Dialog
      opened
      onClose={onClose}
      title={isMade ? t('Copy the token now') : t('New API token')}
      size={520}
      closeOnClickOutside={!isMade}
    >
      {make.data ? (
        <CreatedToken token={make.data.token} onClose={onClose} />
      ) : (
        <TokenForm error={make.error} isBusy={make.isPending} onMake={make.mutate} onClose={onClose} />
      )}
    </Dialog>
  )
}

function CreatedToken({ token, onClose }: { readonly token: string; readonly onClose: () => void }) {
  return (
    <div className="account-dialog">
      <p>{t('Copy it now. You won’t see it again. Anyone with this token can act as you.')}</p>
      <code className="token-dialog-token">{token}</code>
      <div className="dialog-actions">
        <CopyButton text={token} variant="filled">
          {t('Copy token')}
        </CopyButton>
        <Button onClick={onClose}>{t('Done')}</Button>
      </div>
    </div>
  )
}

type TokenFormProps = {
  readonly error: Error | null
  readonly isBusy: boolean
  readonly onMake: (draft: TokenDraft) => void
  readonly onClose: () => void
}

function TokenForm({ error, isBusy, onMake, onClose }: TokenFormProps) {
  const [draft, setDraft] = useState(START_DRAFT)
  const change = (part: Partial<TokenDraft>) => setDraft((before) => ({ ...before, ...part }))
  const isComplete = draft.name.trim() !== '' && draft.permissions.length > 0

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isComplete && !isBusy) onMake(draft)
  }

  return (
    <form onSubmit={submit} className="account-dialog">
      <FailureNotice error={error} />
      <WithHelp setting="token-name">
        <TextInput
          label={t('Name')}
          description={t('For example, the token’s purpose, so you can recognize it later')}
          maxLength={120}
          value={draft.name}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          data-autofocus
        />
      </WithHelp>
      <TokenPermissions chosen={draft.permissions} onChange={(permissions) => change({ permissions })} />
      <TokenCollections chosen={draft.collections} onChange={(collections) => change({ collections })} />
      <TokenExpiry chosen={draft.days} onChange={(days) => change({ days })} />
      <FormActions label={t('Create token')} isReady={isComplete} isBusy={isBusy} onCancel={onClose} />
    </form>
  )
}
