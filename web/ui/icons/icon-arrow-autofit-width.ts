import { outlined } from './draw-icon.tsx'

/** “arrow-autofit-width” of Tabler. */
export const IconArrowAutofitWidth = outlined(
  'M4 12v-6a2 2 0 0 1 2 -2h12a2 2 0 0 1 2 2v6M10 18h-7M21 18h-7M6 15l-3 3l3 3M18 15l3 3l-3 3',
)
