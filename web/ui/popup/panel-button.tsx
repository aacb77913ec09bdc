import type { ReactNode, Ref } from 'react'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import type { Popup, PopupButtonProps } from './use-popup.ts'

const frames = lazyModule(() => import('./popup-frames.tsx'))

type PanelButtonProps = {
  readonly popup: Popup
  readonly button: (props: PopupButtonProps) => ReactNode
  readonly label: string
  readonly className: string
  readonly position?: 'bottom-start' | 'bottom-end'
  readonly panel?: Ref<HTMLDivElement>
  /** False if the caller closes the panel on Escape and outside clicks. */
  readonly closesItself?: boolean
  /** The panel opens once its content is available, so that focus can move into it. */
  readonly children: ReactNode | undefined
}

export function PanelButton({ popup, button, children, ...look }: PanelButtonProps) {
  const { isOpen, wasOpened, setOpen, anchor, buttonProps } = popup
  const { PanelFrame } = useLazyModule(frames, isOpen) ?? {}
  const { label, className, position = 'bottom-start', panel, closesItself = true } = look
  return (
    <>
      {button(buttonProps)}
      {wasOpened && PanelFrame && children !== undefined && (
        <PanelFrame {...{ anchor, isOpen, position, className, label, panel, closesItself }} onOpen={setOpen}>
          {children}
        </PanelFrame>
      )}
    </>
  )
}
