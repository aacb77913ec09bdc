import type { ComponentProps, ReactElement } from 'react'

/*! The icons are Tabler's, © 2020-2026 Paweł Kuna, under the MIT licence in web/ui/icons/LICENSE. */

/** How an icon is displayed: `size` in CSS pixels, `stroke` in units of its 24-unit view box. */
export type IconProps = Omit<ComponentProps<'svg'>, 'stroke'> & { readonly size?: number; readonly stroke?: number }

/** A component that renders one icon in the current text color. */
export type Icon = (props: IconProps) => ReactElement

export const outlined =
  (path: string): Icon =>
  ({ size = 24, stroke = 2, ...rest }) => (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={stroke}
      strokeLinecap="round"
      strokeLinejoin="round"
      {...rest}
    >
      <path d={path} />
    </svg>
  )

export const filled =
  (path: string): Icon =>
  ({ size = 24, ...rest }) => (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="currentColor" {...rest} stroke="none">
      <path d={path} />
    </svg>
  )
