import type {
  ActionIconProps,
  AutocompleteProps,
  BadgeProps,
  ButtonProps,
  CheckboxProps,
  DrawerProps,
  MantineThemeComponents,
  MenuProps,
  ModalProps,
  MultiSelectProps,
  NumberInputProps,
  PopoverProps,
  SelectProps,
  SwitchProps,
  TagsInputProps,
  TextProps,
  TooltipProps,
} from '@mantine/core'
import { DROPDOWN } from '#domain/specification.ts'
import { filterOptions } from '#web/ui/dropdown/filter-options.ts'
import { pressListKey } from '#web/ui/dropdown/list-keyboard.ts'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'

/** How long things that come and go take; also the `--motion-move` of tokens.css. */
const MOVE_MS = 180

/** How long feedback takes; also the `--motion-feedback` of tokens.css. */
const FEEDBACK_MS = 120

/** What every list that opens has in common: the specification's limits, our filter and keys, nothing mounted while closed. */
const LIST = {
  limit: DROPDOWN.optionLimit,
  // The list itself scrolls: a scroll area inside of it would be a region that the keyboard cannot reach.
  withScrollArea: false,
  styles: { options: { maxHeight: DROPDOWN.maxListHeightPx, overflowY: 'auto' as const } },
  filter: filterOptions,
  selectFirstOptionOnChange: true,
  comboboxProps: { keepMounted: false, transitionProps: { duration: 0 }, offset: 4 },
  onKeyDown: pressListKey,
}

/**
 * What `Component.extend` is, without the component: naming the components themselves here would put every one of them
 * into the page that asks for a password.
 */
const extend = <Props>(part: { readonly defaultProps: Partial<Props> }) => part

/** Defaults of Mantine's components, set once so that no screen has to. */
export const COMPONENT_DEFAULTS: MantineThemeComponents = {
  ActionIcon: extend<ActionIconProps>({ defaultProps: { variant: 'subtle', color: 'gray' } }),
  Autocomplete: extend<AutocompleteProps>({ defaultProps: LIST }),
  Badge: extend<BadgeProps>({ defaultProps: { variant: 'light', radius: 'xs' } }),
  Button: extend<ButtonProps>({ defaultProps: { variant: 'default' } }),
  Checkbox: extend<CheckboxProps>({ defaultProps: { radius: 'xs' } }),
  Drawer: extend<DrawerProps>({
    defaultProps: {
      position: 'right',
      overlayProps: { color: 'var(--overlay)', backgroundOpacity: 1 },
      transitionProps: { duration: MOVE_MS },
      closeButtonProps: { 'aria-label': UI_TEXTS.close },
    },
  }),
  Menu: extend<MenuProps>({
    // The placeholder is a focusable element inside the menu that is no item, which assistive technology may not ignore.
    defaultProps: {
      radius: 'md',
      offset: 4,
      withInitialFocusPlaceholder: false,
      transitionProps: { duration: FEEDBACK_MS, transition: 'fade' },
    },
  }),
  Modal: extend<ModalProps>({
    defaultProps: {
      centered: true,
      radius: 'md',
      overlayProps: { color: 'var(--overlay)', backgroundOpacity: 1 },
      transitionProps: { duration: MOVE_MS, transition: 'fade-up' },
      closeButtonProps: { 'aria-label': UI_TEXTS.close },
    },
  }),
  MultiSelect: extend<MultiSelectProps>({ defaultProps: { ...LIST, nothingFoundMessage: UI_TEXTS.nothingFound } }),
  NumberInput: extend<NumberInputProps>({ defaultProps: { hideControls: true } }),
  Popover: extend<PopoverProps>({
    defaultProps: { radius: 'md', transitionProps: { duration: FEEDBACK_MS, transition: 'fade' } },
  }),
  Select: extend<SelectProps>({
    defaultProps: { ...LIST, nothingFoundMessage: UI_TEXTS.nothingFound, allowDeselect: false },
  }),
  Switch: extend<SwitchProps>({ defaultProps: { withThumbIndicator: false } }),
  TagsInput: extend<TagsInputProps>({ defaultProps: LIST }),
  Text: extend<TextProps>({ defaultProps: { size: 'sm' } }),
  Tooltip: extend<TooltipProps>({
    defaultProps: { openDelay: 400, closeDelay: 0, transitionProps: { duration: FEEDBACK_MS } },
  }),
}
