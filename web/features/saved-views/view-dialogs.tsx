import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { Button, Checkbox, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { ViewBody } from '#api/views.ts'
import { MAX_VIEW_NAME } from '#domain/views/view.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { t } from '#web/i18n/t.ts'
import { restoreViewFocus } from './focus-view-tab.ts'
import { useChangeView, useCreateView } from './view-mutations.ts'
import type { ViewsBarProps } from './views-props.ts'

type DialogProps = {
  readonly collection: TypedCollection
  readonly isOpen: boolean
  readonly onClose: () => void
}

type NewViewProps = DialogProps & Pick<ViewsBarProps, 'content'> & { readonly onSaved: (view: ViewBody) => void }

export function NewViewDialog({ isOpen, ...form }: NewViewProps) {
  return (
    <Dialog
      opened={isOpen}
      onClose={form.onClose}
      title={t('New view')}
      size={440}
      onExitTransitionEnd={restoreViewFocus}
    >
      <NewViewForm {...form} />
    </Dialog>
  )
}

/** Separate component, so that its state resets when the dialog closes. */
function NewViewForm({ collection, content, onClose, onSaved }: Omit<NewViewProps, 'isOpen'>) {
  const [isShared, setShared] = useState(false)
  const { mutate, isPending, error } = useCreateView(collection.id)
  const mayShare = collection.can.includes('views:share')
  const save = (name: string) =>
    mutate(
      { ...content, name, isShared },
      {
        onSuccess: (made) => {
          onClose()
          onSaved(made)
        },
      },
    )
  return (
    <NameForm label={t('Save view')} isPending={isPending} error={error} onSubmit={save} onClose={onClose}>
      <p className="view-dialog-hint">{t('Saves the current filter, sort, groups and columns.')}</p>
      {mayShare && (
        <WithHelp setting="view-shared">
          <Checkbox
            label={t('Share with everyone who can read these records')}
            checked={isShared}
            onChange={({ currentTarget }) => setShared(currentTarget.checked)}
          />
        </WithHelp>
      )}
    </NameForm>
  )
}

type RenameProps = DialogProps & { readonly view: ViewBody }

export function RenameViewDialog({ isOpen, ...form }: RenameProps) {
  return (
    <Dialog opened={isOpen} onClose={form.onClose} title={t('Rename view')} size={440}>
      <RenameForm {...form} />
    </Dialog>
  )
}

function RenameForm({ collection, view, onClose }: Omit<RenameProps, 'isOpen'>) {
  const { mutate, isPending, error } = useChangeView(collection.id)
  return (
    <NameForm
      start={view.name}
      label={t('Rename')}
      isPending={isPending}
      error={error}
      onSubmit={(name) => mutate({ view: view.id, body: { name } }, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}

type NameFormProps = {
  readonly start?: string
  readonly label: string
  readonly isPending: boolean
  readonly error: Error | null
  readonly onSubmit: (name: string) => void
  readonly onClose: () => void
  readonly children?: ReactNode
}

function NameForm({ start = '', label, isPending, error, onSubmit, onClose, children }: NameFormProps) {
  const [name, setName] = useState(start)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== '' && !isPending) onSubmit(name.trim())
  }
  return (
    <form onSubmit={submit} className="view-dialog">
      <WithHelp setting="view-name">
        <TextInput
          label={t('Name')}
          value={name}
          maxLength={MAX_VIEW_NAME}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={error && describeError(error).detail}
          data-autofocus
        />
      </WithHelp>
      {children}
      <div className="view-dialog-actions">
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button type="submit" variant="filled" disabled={name.trim() === ''} loading={isPending}>
          {label}
        </Button>
      </div>
    </form>
  )
}
