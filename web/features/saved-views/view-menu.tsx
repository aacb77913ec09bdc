import { ActionIcon, Menu } from '@mantine/core'
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { ViewBody } from '#api/views.ts'
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx'
import { IconChevronLeft, IconChevronRight, IconTrash } from '#web/ui/icons/general.ts'
import { IconCopy, IconLockOpen, IconPencil } from '#web/ui/icons/later.ts'
import { IconDots, IconHome } from '#web/ui/icons/frame.ts'
import { IconLock, IconUser, IconUsersGroup } from '#web/ui/icons/start.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { quoted } from '#web/i18n/quoted.ts'
import { t } from '#web/i18n/t.ts'
import { FavoriteMenuItem } from '#web/shared/favorites/favorite-menu-item.tsx'
import { type ViewActionsProps, focusCurrentView } from './views-props.ts'
import { useChangeView, useCreateView, useDeleteView, type ViewChanges } from './view-mutations.ts'
import { copyName } from './view-labels.ts'

type ViewMenuProps = ViewActionsProps & { readonly view: ViewBody; readonly onRename: () => void }

export function ViewMenu(props: ViewMenuProps) {
  const { view, onRename } = props
  const { change, duplicate, askDelete, question, place, siblings } = useViewMenu(props)
  const opener = useMoveFocusToTab()
  const mayMove = siblings.length > 1 && (view.isShared ? view.mayShare : view.mayLock)
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon ref={opener} aria-label={t('More actions for view {name}', { name: view.name })}>
            <IconDots size={18} stroke={1.5} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {view.mayChange && <Item icon={IconPencil} label={t('Rename')} onClick={onRename} />}
          <Item icon={IconCopy} label={t('Duplicate')} onClick={duplicate} />
          <FavoriteMenuItem target={{ collection: props.collection.id, view: view.id }} />
          <Item
            icon={IconHome}
            label={view.isDefault ? t('Remove as default') : t('Set as my default')}
            onClick={() => change({ isDefault: !view.isDefault })}
          />
          <SharingItems view={view} change={change} />
          {mayMove && (
            <>
              <Menu.Divider />
              <Item
                icon={IconChevronLeft}
                isMirrored
                label={t('Move earlier')}
                isOff={place === 0}
                onClick={() => change({ before: siblings[place - 1] ?? null })}
              />
              <Item
                icon={IconChevronRight}
                isMirrored
                label={t('Move later')}
                isOff={place === siblings.length - 1}
                onClick={() => change({ before: siblings[place + 2] ?? null })}
              />
            </>
          )}
          {view.mayChange && (
            <>
              <Menu.Divider />
              <Item icon={IconTrash} label={t('Delete…')} color="danger" onClick={askDelete} />
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <DeleteQuestion view={view} {...question} />
    </>
  )
}

type DeleteQuestionProps = {
  readonly view: ViewBody
  readonly isOpen: boolean
  readonly isBusy: boolean
  readonly onClose: () => void
  readonly onConfirm: () => void
}

const DeleteQuestion = ({ view, ...dialog }: DeleteQuestionProps) => (
  <ConfirmDialog
    {...dialog}
    title={t('Delete view {name}', { name: quoted(view.name) })}
    actionLabel={t('Delete view')}
  >
    {view.isShared
      ? t('This deletes the view for everyone and breaks links to it. Records aren’t affected. This can’t be undone.')
      : t('This breaks links to the view. Records aren’t affected. This can’t be undone.')}
  </ConfirmDialog>
)

/** A closing menu returns focus to its button, which may be removed along with the deleted view. */
function useMoveFocusToTab(): RefObject<HTMLButtonElement | null> {
  const opener = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const button = opener.current
    return () => {
      if (button?.contains(document.activeElement)) queueMicrotask(focusCurrentView)
    }
  }, [])
  return opener
}

type SharingProps = { readonly view: ViewBody; readonly change: (body: ViewChanges, said?: string) => void }

function SharingItems({ view, change }: SharingProps) {
  return (
    <>
      {!view.isShared && view.mayShare && (
        <Item
          icon={IconUsersGroup}
          label={t('Share with everyone')}
          onClick={() => change({ isShared: true }, t('Everyone who can read these records can now see this view'))}
        />
      )}
      {view.isShared && view.mayLock && (
        <Item
          icon={IconUser}
          label={t('Make private to {name}', { name: view.owner.name })}
          onClick={() => change({ isShared: false }, t('Only {name} can see this view now', { name: view.owner.name }))}
        />
      )}
      {view.mayLock && (
        <Item
          icon={view.isLocked ? IconLockOpen : IconLock}
          label={view.isLocked ? t('Unlock') : t('Lock')}
          onClick={() => change({ isLocked: !view.isLocked })}
        />
      )}
    </>
  )
}

type ItemProps = {
  readonly icon: typeof IconPencil
  readonly label: ReactNode
  readonly color?: 'danger'
  readonly isOff?: boolean
  /** Whether the icon is mirrored in right-to-left layouts. */
  readonly isMirrored?: boolean
  readonly onClick: () => void
}

const Item = ({ icon: Icon, label, color, isOff = false, isMirrored = false, onClick }: ItemProps) => (
  <Menu.Item
    leftSection={<Icon size={16} stroke={1.5} className={isMirrored ? 'view-move-icon' : undefined} aria-hidden />}
    disabled={isOff}
    onClick={onClick}
    {...(color && { color })}
  >
    {label}
  </Menu.Item>
)

function useViewMenu({ collection, view, views, onOpen, onSaved, onGone }: ViewMenuProps) {
  const changing = useChangeView(collection.id)
  const creating = useCreateView(collection.id)
  const deleting = useDeleteView(collection.id)
  const [isAsking, setAsking] = useState(false)
  const siblings = views.filter(({ isShared }) => isShared === view.isShared).map(({ id }) => id)
  const { query, display, layout, look, pageSize } = view

  return {
    siblings,
    place: siblings.indexOf(view.id),
    change: (body: ViewChanges, said?: string) =>
      changing.mutate({ view: view.id, body }, { onSuccess: () => said !== undefined && notify.success(said) }),
    duplicate: () =>
      creating.mutate(
        { name: copyName(view.name, views), query, display, layout, look, pageSize },
        {
          onSuccess: (made) => onSaved(made, true),
          onError: (error) => notify.error(describeError(error).title, { detail: describeError(error).detail }),
        },
      ),
    askDelete: () => setAsking(true),
    question: {
      isOpen: isAsking,
      isBusy: deleting.isPending,
      onClose: () => setAsking(false),
      onConfirm: () =>
        deleting.mutate(view, {
          onSuccess: () => {
            onOpen(null)
            onGone()
          },
          onSettled: () => setAsking(false),
        }),
    },
  }
}
