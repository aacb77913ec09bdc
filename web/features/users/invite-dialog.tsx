import { Button, Skeleton, Textarea, TextInput } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { inviteUser, listOutbox } from '#api/users.ts'
import { call, callUnasked } from '#web/data/api/call.ts'
import { partMessage } from '#web/data/api/error-messages.ts'
import { useCan } from '#web/data/authorization/use-can.ts'
import { AttributeInputs, RoleInputs } from './access-inputs.tsx'
import { linkInEmail, type UserAttributes } from '#web/features/users/user-access.ts'
import { type AssignableRole, type ManagedUsers, NO_USER_FILTER, refetchUsers, usersQuery } from './users-queries.ts'
import { plural, t } from '#web/i18n/t.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { FormActions } from '#web/ui/dialogs/form-actions.tsx'
import './users.css'

const BETWEEN = /[\s,;<>"]+/

/** Extracts email addresses from text pasted from a list or an email program, such as `Ada <ada@example.com>, …`. */
export const parseAddresses = (text: string): string[] => [
  ...new Set(
    text
      .split(BETWEEN)
      .filter((part) => part.includes('@'))
      .map((address) => address.toLowerCase()),
  ),
]

/** `ada.lovelace@…` → Ada Lovelace. */
export const nameOfAddress = (address: string): string =>
  address
    .slice(0, Math.max(address.indexOf('@'), 0))
    .split(/[._+-]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')

type Invitation = {
  readonly people: readonly { readonly email: string; readonly name: string }[]
  readonly roles: readonly string[]
  readonly profile: UserAttributes
  /** Users invited before a failure; their links are shown too. */
  readonly before: readonly string[]
  readonly onWritten: (email: string) => void
}

/** Includes a link to copy if there is no mail server. */
type Invited = { readonly email: string; readonly link: string | undefined }

/** Sends invitations sequentially; if one fails, the previous ones have already been sent. */
function useInvite() {
  const queryClient = useQueryClient()
  const mayReadOutbox = useCan('workspace:manage')
  return useMutation({
    mutationFn: async ({ people, roles, profile, before, onWritten }: Invitation): Promise<readonly Invited[]> => {
      const noted = Object.keys(profile).length > 0 && { profile }
      for (const { email, name } of people) {
        await call(inviteUser, { body: { email, name, roles: [...roles], ...noted } })
        onWritten(email)
      }
      const { items, hasServer } = mayReadOutbox ? await callUnasked(listOutbox) : { items: [], hasServer: true }
      return [...before, ...people.map(({ email }) => email)].map((email) => {
        const letter = hasServer ? undefined : items.find(({ to }) => to === email)
        return { email, link: letter && linkInEmail(letter.text) }
      })
    },
    onSettled: () => refetchUsers(queryClient),
  })
}

type InvitationLinksProps = { readonly invited: readonly Invited[]; readonly onClose: () => void }

function InvitationLinks({ invited, onClose }: InvitationLinksProps) {
  return (
    <div className="invite-form">
      <p className="invite-hint">
        {plural(
          invited.length,
          'No mail server configured, so no email was sent. Copy the link and share it. It works once and expires in 48 hours.',
          'No mail server configured, so no emails were sent. Copy the links and share them. Each works once and expires in 48 hours.',
        )}
      </p>
      <ul className="invited-links">
        {invited.map(({ email, link }) => (
          <li key={email}>
            <span>{email}</span>
            {link !== undefined && (
              <CopyButton text={link} size="xs">
                {t('Copy link')}
              </CopyButton>
            )}
          </li>
        ))}
      </ul>
      <div className="dialog-actions">
        <Button variant="filled" onClick={onClose} data-autofocus>
          {t('Done')}
        </Button>
      </div>
    </div>
  )
}

type InviteDialogProps = { readonly isOpen: boolean; readonly onClose: () => void }

export function InviteDialog({ isOpen, onClose }: InviteDialogProps) {
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t('Invite people')} size={460}>
      <Invite onClose={onClose} />
    </Dialog>
  )
}

/** Separate component, so that its state resets when the dialog closes. */
function Invite({ onClose }: { readonly onClose: () => void }) {
  const { data, error, refetch } = useInfiniteQuery(usersQuery(NO_USER_FILTER))
  const [invited, setInvited] = useState<readonly Invited[]>()
  const known = data?.pages.at(-1)

  function end(people: readonly Invited[]) {
    if (people.some(({ link }) => link !== undefined)) return setInvited(people)
    const [first] = people
    notify.success(
      people.length === 1 && first
        ? t('Invitation for {email} created.', { email: first.email })
        : writtenText(people.length),
    )
    onClose()
  }

  if (invited) return <InvitationLinks invited={invited} onClose={onClose} />
  if (error && !known) return <FailureNotice error={error} onRetry={() => void refetch()} />
  if (!known) return <Skeleton height={300} radius="md" />
  return <InviteForm roles={known.roles} profileFields={known.profileFields} onDone={end} onClose={onClose} />
}

const writtenText = (count: number): string => plural(count, '{n} invitation created.', '{n} invitations created.')

type InviteFormProps = Pick<ManagedUsers, 'roles' | 'profileFields'> & {
  readonly onDone: (invited: readonly Invited[]) => void
  readonly onClose: () => void
}

function InviteForm({ roles, profileFields, onDone, onClose }: InviteFormProps) {
  const [chosen, setChosen] = useState(() => firstOf(roles))
  const [profile, setProfile] = useState<UserAttributes>({})
  const mayNote = useCan('roles:manage')
  const { text, setText, name, setName, people, written, invite } = useGuests()

  function submit(event: FormEvent) {
    event.preventDefault()
    if (invite.isPending || people.length === 0 || chosen.length === 0) return
    invite.begin({ roles: chosen, profile }, onDone)
  }

  return (
    <form onSubmit={submit} className="invite-form">
      {written > 0 && (
        <p role="status" className="invite-hint">
          {writtenText(written)}
        </p>
      )}
      <FailureNotice error={invite.error} />
      <WithHelp setting="person-email">
        <Textarea
          label={t('Email')}
          description={t('Separate multiple addresses with commas or new lines')}
          autosize
          minRows={1}
          maxRows={6}
          autoComplete="off"
          value={text}
          error={partMessage(invite.error, 'email')}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          data-autofocus
          autoFocus
        />
      </WithHelp>
      {people.length <= 1 && <NameInput value={name} error={partMessage(invite.error, 'name')} onChange={setName} />}
      <RoleInputs roles={roles} chosen={chosen} onChange={setChosen} />
      {mayNote && <AttributeInputs fields={profileFields} notes={profile} onChange={setProfile} />}
      <p className="invite-hint">
        {t('Invitation links work once and expire in 48 hours. Without a mail server, you get the links to share.')}
      </p>
      <FormActions
        label={people.length > 1 ? plural(people.length, 'Invite {n} person', 'Invite {n} people') : t('Invite')}
        isReady={people.length > 0 && chosen.length > 0}
        isBusy={invite.isPending}
        onCancel={onClose}
      />
    </form>
  )
}

/** After a failure, the remaining addresses stay in the input so that they can be sent again. */
function useGuests() {
  const [text, setText] = useState('')
  const [ownName, setName] = useState<string>()
  const [before, setBefore] = useState<readonly string[]>([])
  const { mutate, isPending, error } = useInvite()
  const addresses = parseAddresses(text)
  const name = ownName ?? nameOfAddress(addresses[0] ?? '')
  const people = addresses.map((email) => ({ email, name: addresses.length === 1 ? name : nameOfAddress(email) }))

  function begin(
    may: { readonly roles: readonly string[]; readonly profile: UserAttributes },
    onSuccess: InviteFormProps['onDone'],
  ) {
    const written: string[] = []
    const onError = () => {
      setBefore([...before, ...written])
      setText(addresses.filter((email) => !written.includes(email)).join('\n'))
    }
    mutate({ people, ...may, before, onWritten: (email) => written.push(email) }, { onSuccess, onError })
  }
  return { text, setText, name, setName, people, written: before.length, invite: { begin, isPending, error } }
}

/** The default role for invitations, if the user can assign it. */
function firstOf(roles: readonly AssignableRole[]): string[] {
  const given = roles.filter(({ mayGive }) => mayGive)
  const first = given.find(({ id }) => id === 'editor') ?? given[0]
  return first ? [first.id] : []
}

type NameInputProps = {
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (name: string) => void
}

const NameInput = ({ value, error, onChange }: NameInputProps) => (
  <WithHelp setting="person-name">
    <TextInput
      label={t('Name')}
      autoComplete="off"
      maxLength={120}
      value={value}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  </WithHelp>
)
