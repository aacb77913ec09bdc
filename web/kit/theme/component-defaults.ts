import {
  ActionIcon,
  Autocomplete,
  Badge,
  Button,
  Checkbox,
  Drawer,
  type MantineThemeComponents,
  Menu,
  Modal,
  MultiSelect,
  NumberInput,
  Popover,
  Select,
  TagsInput,
  Text,
  Tooltip,
} from '@mantine/core'
import { DROPDOWN } from '#domain/specification.ts'
import { filterOptions } from '../dropdown/filter-options.ts'
import { KIT_TEXTS } from '../kit-texts.ts'

/** How long things that come and go take; also the `--motion-move` of tokens.css. */
const MOVE_MS = 180

/** How long feedback takes; also the `--motion-feedback` of tokens.css. */
const FEEDBACK_MS = 120

/** What every list that opens has in common: the specification's limits, our filter, nothing mounted while closed. */
const LIST = {
  limit: DROPDOWN.optionLimit,
  maxDropdownHeight: DROPDOWN.maxListHeightPx,
  filter: filterOptions,
  selectFirstOptionOnChange: true,
  comboboxProps: { keepMounted: false, transitionProps: { duration: 0 }, offset: 4 },
}

/** Defaults of Mantine's components, set once so that no screen has to. */
export const COMPONENT_DEFAULTS: MantineThemeComponents = {
  ActionIcon: ActionIcon.extend({ defaultProps: { variant: 'subtle', color: 'gray' } }),
  Autocomplete: Autocomplete.extend({ defaultProps: LIST }),
  Badge: Badge.extend({ defaultProps: { variant: 'light', radius: 'xs' } }),
  Button: Button.extend({ defaultProps: { variant: 'default' } }),
  Checkbox: Checkbox.extend({ defaultProps: { size: 'xs', radius: 'xs' } }),
  Drawer: Drawer.extend({
    defaultProps: {
      position: 'right',
      overlayProps: { color: 'var(--overlay)', backgroundOpacity: 1 },
      transitionProps: { duration: MOVE_MS },
      closeButtonProps: { 'aria-label': KIT_TEXTS.close },
    },
  }),
  Menu: Menu.extend({
    defaultProps: { radius: 'md', offset: 4, transitionProps: { duration: FEEDBACK_MS, transition: 'fade' } },
  }),
  Modal: Modal.extend({
    defaultProps: {
      centered: true,
      radius: 'md',
      overlayProps: { color: 'var(--overlay)', backgroundOpacity: 1 },
      transitionProps: { duration: MOVE_MS, transition: 'fade-up' },
      closeButtonProps: { 'aria-label': KIT_TEXTS.close },
    },
  }),
  MultiSelect: MultiSelect.extend({ defaultProps: { ...LIST, nothingFoundMessage: KIT_TEXTS.nothingFound } }),
  NumberInput: NumberInput.extend({ defaultProps: { hideControls: true } }),
  Popover: Popover.extend({
    defaultProps: { radius: 'md', transitionProps: { duration: FEEDBACK_MS, transition: 'fade' } },
  }),
  Select: Select.extend({
    defaultProps: { ...LIST, nothingFoundMessage: KIT_TEXTS.nothingFound, allowDeselect: false },
  }),
  TagsInput: TagsInput.extend({ defaultProps: LIST }),
  Text: Text.extend({ defaultProps: { size: 'sm' } }),
  Tooltip: Tooltip.extend({
    defaultProps: { openDelay: 400, closeDelay: 0, transitionProps: { duration: FEEDBACK_MS } },
  }),
}
