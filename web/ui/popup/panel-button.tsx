import type { ReactNode, Ref } from 'react'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import type { Popup, PopupButtonProps } from './use-popup.ts'

const frames = lazyModule(() => import('./popup-frames.tsx'))

type PanelButtonProps = {
  readonly popup: Popup
  readonly button: (props: PopupButtonProps) => ReactNode
  /** The name of the panel. */
  readonly label: string
  readonly className: string
  readonly position?: 'bottom-start' | 'bottom-end'
  readonly panel?: Ref<HTMLDivElement>
  /** False where whoever draws it closes it: on Escape and on a press elsewhere. */
  readonly closesItself?: boolean
  /** What it holds; it opens when that is there, so that the keyboard finds its way into it. */
  readonly children: ReactNode | undefined
}

/** A button with a panel, whose frame is fetched when the page rests, or at once when it is wanted. */
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
