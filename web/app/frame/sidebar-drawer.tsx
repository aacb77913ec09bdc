import { CloseButton } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { t } from '#web/i18n/t.ts'
import './sidebar-drawer.css'

type SidebarDrawerProps = {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly label: string
  readonly children: ReactNode
}

/** The sidebar on a small screen: the browser's own dialog, which keeps focus inside and gives it back. */
export function SidebarDrawer({ isOpen, onClose, label, children }: SidebarDrawerProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])

  return (
    <dialog ref={dialog} className="drawer" aria-label={label} onClose={onClose} closedby="any">
      {isOpen && (
        <>
          <CloseButton className="drawer-close" aria-label={t('Close navigation')} onClick={onClose} />
          {children}
        </>
      )}
    </dialog>
  )
}
