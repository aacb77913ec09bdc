import { Button, Checkbox, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useUser } from '#web/data/session/use-session.ts'
import { IconPlus } from '#web/ui/icons/frame.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { t } from '#web/i18n/t.ts'
import { type ViewActionsProps, type ViewsBarProps, focusCurrentView, restoreViewFocus } from './views-props.ts'
import { useChangeView, useCreateView } from './view-mutations.ts'
import { ViewMenu } from './view-menu.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import type { ViewBody } from '#api/views.ts'
import { MAX_VIEW_NAME } from '#domain/views/view.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'

export function ViewActions(props: ViewActionsProps) {
  const { view, isChanged } = props
  const [requested, setRequested] = useState<'new' | 'rename' | null>(null)
  const isSeen = useUser()?.view_as?.is_on === true
  const back = view && isChanged && <DiscardViewChanges {...props} />
  // Views can't be saved while impersonating.
  if (isSeen) return back ? <div className="views-actions">{back}</div> : null
  const ask = () => setRequested('new')
  return (
    <>
      <div className="views-menu">
        {view && <ViewMenu {...props} view={view} onRename={() => setRequested('rename')} />}
        {!view && !isChanged && <SaveAsNew {...props} onAsk={ask} />}
      </div>
      {isChanged && (
        <div className="views-actions">
          <SaveView {...props} />
          <SaveAsNew {...props} onAsk={ask} />
          {back}
        </div>
      )}
      <ViewDialogs {...props} requested={requested} onClose={() => setRequested(null)} />
    </>
  )
}

function SaveAsNew({ view, isChanged, onAsk }: ViewActionsProps & { readonly onAsk: () => void }) {
  const label = view ? t('Save as new view') : t('New view')
  return (
    <Button
      size="xs"
      aria-label={label}
      variant={isChanged ? 'light' : 'subtle'}
      color={isChanged ? 'primary' : 'gray'}
      leftSection={<IconPlus size={14} stroke={1.75} aria-hidden />}
      onClick={onAsk}
    >
      {label}
    </Button>
  )
}

type ViewDialogsProps = ViewActionsProps & { readonly requested: 'new' | 'rename' | null; readonly onClose: () => void }

function ViewDialogs({ collection, view, content, onSaved, requested, onClose }: ViewDialogsProps) {
  return (
    <>
      <NewViewDialog
        collection={collection}
        content={content}
        isOpen={requested === 'new'}
        onClose={onClose}
        onSaved={(made) => onSaved(made, true)}
      />
      {view && (
        <RenameViewDialog collection={collection} view={view} isOpen={requested === 'rename'} onClose={onClose} />
      )}
    </>
  )
}

const DiscardViewChanges = ({ onReset }: Pick<ViewActionsProps, 'onReset'>) => (
  <Button
    size="xs"
    variant="subtle"
    color="gray"
    onClick={() => {
      onReset()
      focusCurrentView()
    }}
  >
    {t('Discard changes')}
  </Button>
)

function SaveView({ collection, view, content, onSaved }: ViewActionsProps) {
  const { mutateAsync, isPending } = useChangeView(collection.id)
  if (!view?.mayChange || view.isLocked) return null
  const save = () => {
    const body = { ...content, version: view.version }
    // The save button may no longer exist after saving.
    void mutateAsync({ view: view.id, body }).then(
      (saved) => {
        notify.success(t('View saved'))
        onSaved(saved, false)
        focusCurrentView()
      },
      // The mutation reports the error.
      () => undefined,
    )
  }
  return (
    <Button size="xs" variant="filled" loading={isPending} onClick={save}>
      {view.isShared ? t('Save for everyone') : t('Save')}
    </Button>
  )
}

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
