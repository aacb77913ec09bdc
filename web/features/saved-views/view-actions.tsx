import { Button } from '@mantine/core'
import { useState } from 'react'
import { useUser } from '#web/data/session/use-session.ts'
import { IconPlus } from '#web/ui/icons/frame.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { t } from '#web/i18n/t.ts'
import { focusCurrentView } from './focus-view-tab.ts'
import { useChangeView } from './view-mutations.ts'
import { ViewMenu } from './view-menu.tsx'
import type { ViewActionsProps } from './views-props.ts'
import { NewViewDialog, RenameViewDialog } from './view-dialogs.tsx'

export function ViewActions(props: ViewActionsProps) {
  const { view, isChanged } = props
  const [asked, setAsked] = useState<'new' | 'rename' | null>(null)
  const isSeen = useUser()?.view_as?.is_on === true
  const back = view && isChanged && <DiscardViewChanges {...props} />
  // No saving while impersonating.
  if (isSeen) return back ? <div className="views-actions">{back}</div> : null
  const ask = () => setAsked('new')
  return (
    <>
      <div className="views-menu">
        {view && <ViewMenu {...props} view={view} onRename={() => setAsked('rename')} />}
        {!view && !isChanged && <SaveAsNew {...props} onAsk={ask} />}
      </div>
      {isChanged && (
        <div className="views-actions">
          <SaveView {...props} />
          <SaveAsNew {...props} onAsk={ask} />
          {back}
        </div>
      )}
      <ViewDialogs {...props} asked={asked} onClose={() => setAsked(null)} />
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

type ViewDialogsProps = ViewActionsProps & { readonly asked: 'new' | 'rename' | null; readonly onClose: () => void }

function ViewDialogs({ collection, view, content, onSaved, asked, onClose }: ViewDialogsProps) {
  return (
    <>
      <NewViewDialog
        collection={collection}
        content={content}
        isOpen={asked === 'new'}
        onClose={onClose}
        onSaved={(made) => onSaved(made, true)}
      />
      {view && <RenameViewDialog collection={collection} view={view} isOpen={asked === 'rename'} onClose={onClose} />}
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
    // The button may be gone after saving.
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
