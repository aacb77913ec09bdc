import { outlined } from './draw-icon.tsx'

export const IconBlockquote = outlined(
  'M6 15h15M21 19h-15M15 11h6M21 7h-6M9 9h1a1 1 0 1 1 -1 1v-2.5a2 2 0 0 1 2 -2M3 9h1a1 1 0 1 1 -1 1v-2.5a2 2 0 0 1 2 -2',
)
export const IconBold = outlined('M7 5h6a3.5 3.5 0 0 1 0 7h-6l0 -7M13 12h1a3.5 3.5 0 0 1 0 7h-7v-7')
export const IconChevronUp = outlined('M6 15l6 -6l6 6')
export const IconClearFormatting = outlined('M17 15l4 4m0 -4l-4 4M7 6v-1h11v1M7 19l4 0M13 5l-4 14')
export const IconCode = outlined('M7 8l-4 4l4 4M17 8l4 4l-4 4M14 4l-4 16')
export const IconCodeblock = outlined(
  'M5 4l-2 2l2 2M12 4l2 2l-2 2M8 8l1 -4M17 6a2 2 0 0 1 2 2v10a2 2 0 0 1 -2 2h-10a2 2 0 0 1 -2 -2v-7',
)
export const IconColumnInsertLeft = outlined(
  'M14 4h4a1 1 0 0 1 1 1v14a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1v-14a1 1 0 0 1 1 -1M5 12l4 0M7 10l0 4',
)
export const IconColumnInsertRight = outlined(
  'M6 4h4a1 1 0 0 1 1 1v14a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1v-14a1 1 0 0 1 1 -1M15 12l4 0M17 10l0 4',
)
export const IconColumnRemove = outlined(
  'M6 4h4a1 1 0 0 1 1 1v14a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1v-14a1 1 0 0 1 1 -1M16 10l4 4M16 14l4 -4',
)
export const IconH1 = outlined('M19 18v-8l-2 2M4 6v12M12 6v12M11 18h2M3 18h2M4 12h8M3 6h2M11 6h2')
export const IconH2 = outlined(
  'M17 12a2 2 0 1 1 4 0c0 .591 -.417 1.318 -.816 1.858l-3.184 4.143l4 0M4 6v12M12 6v12M11 18h2M3 18h2M4 12h8M3 6h2M11 6h2',
)
export const IconH3 = outlined(
  'M19 14a2 2 0 1 0 -2 -2M17 16a2 2 0 1 0 2 -2M4 6v12M12 6v12M11 18h2M3 18h2M4 12h8M3 6h2M11 6h2',
)
export const IconIndentDecrease = outlined('M20 6l-7 0M20 12l-9 0M20 18l-7 0M8 8l-4 4l4 4')
export const IconIndentIncrease = outlined('M20 6l-11 0M20 12l-7 0M20 18l-11 0M4 8l4 4l-4 4')
export const IconItalic = outlined('M11 5l6 0M7 19l6 0M14 5l-4 14')
export const IconLetterCase = outlined(
  'M14 15.5a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0M3 19v-10.5a3.5 3.5 0 0 1 7 0v10.5M3 13h7M21 12v7',
)
export const IconListCheck = outlined(
  'M3.5 5.5l1.5 1.5l2.5 -2.5M3.5 11.5l1.5 1.5l2.5 -2.5M3.5 17.5l1.5 1.5l2.5 -2.5M11 6l9 0M11 12l9 0M11 18l9 0',
)
export const IconMaximize = outlined(
  'M4 8v-2a2 2 0 0 1 2 -2h2M4 16v2a2 2 0 0 0 2 2h2M16 4h2a2 2 0 0 1 2 2v2M16 20h2a2 2 0 0 0 2 -2v-2',
)
export const IconMinimize = outlined(
  'M15 19v-2a2 2 0 0 1 2 -2h2M15 5v2a2 2 0 0 0 2 2h2M5 15h2a2 2 0 0 1 2 2v2M5 9h2a2 2 0 0 0 2 -2v-2',
)
export const IconPilcrow = outlined('M13 4v16M17 4v16M19 4h-9.5a4.5 4.5 0 0 0 0 9h3.5')
export const IconRowInsertBottom = outlined(
  'M20 6v4a1 1 0 0 1 -1 1h-14a1 1 0 0 1 -1 -1v-4a1 1 0 0 1 1 -1h14a1 1 0 0 1 1 1M12 15l0 4M14 17l-4 0',
)
export const IconRowInsertTop = outlined(
  'M4 18v-4a1 1 0 0 1 1 -1h14a1 1 0 0 1 1 1v4a1 1 0 0 1 -1 1h-14a1 1 0 0 1 -1 -1M12 9v-4M10 7l4 0',
)
export const IconRowRemove = outlined(
  'M20 6v4a1 1 0 0 1 -1 1h-14a1 1 0 0 1 -1 -1v-4a1 1 0 0 1 1 -1h14a1 1 0 0 1 1 1M10 16l4 4M10 20l4 -4',
)
export const IconSeparatorHorizontal = outlined('M4 12l16 0M8 8l4 -4l4 4M16 16l-4 4l-4 -4')
export const IconStrikethrough = outlined(
  'M5 12l14 0M16 6.5a4 2 0 0 0 -4 -1.5h-1a3.5 3.5 0 0 0 0 7h2a3.5 3.5 0 0 1 0 7h-1.5a4 2 0 0 1 -4 -1.5',
)
export const IconTableRow = outlined(
  'M3 5a2 2 0 0 1 2 -2h14a2 2 0 0 1 2 2v14a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-14M9 3l-6 6M14 3l-7 7M19 3l-7 7M21 6l-4 4M3 10h18M10 10v11',
)
export const IconUnderline = outlined('M7 5v5a5 5 0 0 0 10 0v-5M5 19h14')
export const IconUnlink = outlined(
  'M17 22v-2M9 15l6 -6M11 6l.463 -.536a5 5 0 0 1 7.071 7.072l-.534 .464M13 18l-.397 .534a5.068 5.068 0 0 1 -7.127 0a4.972 4.972 0 0 1 0 -7.071l.524 -.463M20 17h2M2 7h2M7 2v2',
)
