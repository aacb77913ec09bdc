import { type ReactNode, useState } from 'react'
import { type LazyModule, lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { type PopupButtonProps, usePopup } from './use-popup.ts'

const frames = lazyModule(() => import('./popup-frames.tsx'))

type MenuButtonProps<Part> = {
  readonly button: (props: PopupButtonProps) => ReactNode
  readonly part: LazyModule<Part>
  /** An item that moves focus must call `takeFocus`; otherwise closing the menu returns focus to the button. */
  readonly items: (part: Part, takeFocus: () => void) => ReactNode
  readonly position?: 'bottom-start' | 'bottom-end'
  readonly widthPx?: number
  readonly className?: string
}

export function MenuButton<Part>({ button, part, items, ...look }: MenuButtonProps<Part>) {
  const { isOpen, wasOpened, setOpen, anchor, buttonProps } = usePopup('menu')
  const { MenuFrame } = useLazyModule(frames, isOpen) ?? {}
  const loaded = useLazyModule(part, isOpen)
  const [isFocusTaken, setFocusTaken] = useState(false)
  const { position = 'bottom-end', widthPx = 200, className } = look
  return (
    <>
      {button({
        ...buttonProps,
        onClick: (event) => {
          setFocusTaken(false)
          buttonProps.onClick(event)
        },
      })}
      {wasOpened && MenuFrame && loaded && (
        <MenuFrame
          {...{ anchor, isOpen, position, widthPx, className }}
          givesFocusBack={!isFocusTaken}
          onOpen={setOpen}
        >
          {items(loaded, () => setFocusTaken(true))}
        </MenuFrame>
      )}
    </>
  )
}
