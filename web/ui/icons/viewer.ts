import { outlined } from './draw-icon.tsx'

export const IconArrowsMinimize = outlined(
  'M5 9l4 0l0 -4M3 3l6 6M5 15l4 0l0 4M3 21l6 -6M19 9l-4 0l0 -4M15 9l6 -6M19 15l-4 0l0 4M15 15l6 6',
)
export const IconFlipHorizontal = outlined('M12 3l0 18M16 7l0 10l5 0l-5 -10M8 7l0 10l-5 0l5 -10')
export const IconFlipVertical = outlined('M3 12l18 0M7 16l10 0l-10 5l0 -5M7 8l10 0l-10 -5l0 5')
export const IconRotateClockwise = outlined('M4.05 11a8 8 0 1 1 .5 4m-.5 5v-5h5')
export const IconRotate = outlined('M19.95 11a8 8 0 1 0 -.5 4m.5 5v-5h-5')
export const IconZoomIn = outlined('M3 10a7 7 0 1 0 14 0a7 7 0 1 0 -14 0M7 10l6 0M10 7l0 6M21 21l-6 -6')
export const IconZoomOut = outlined('M3 10a7 7 0 1 0 14 0a7 7 0 1 0 -14 0M7 10l6 0M21 21l-6 -6')
