interface ThirdParty {
  readonly name: string;
  readonly holder: string;
  /** Absent = MIT. */
  readonly license?: 'ISC';
}

/** Packages built into this page and its code editor, whose licences require their notice. */
export const THIRD_PARTY: readonly ThirdParty[] = [
  { name: '@codemirror/commands', holder: '2018-2021 Marijn Haverbeke and others' },
  { name: '@codemirror/language', holder: '2018-2021 Marijn Haverbeke and others' },
  { name: '@codemirror/lint', holder: '2018-2021 Marijn Haverbeke and others' },
  { name: '@codemirror/search', holder: '2018-2021 Marijn Haverbeke and others' },
  { name: '@codemirror/state', holder: '2018-2021 Marijn Haverbeke and others' },
  { name: '@codemirror/view', holder: '2018-2021 Marijn Haverbeke and others' },
  { name: '@floating-ui/react', holder: '2021-present Floating UI contributors' },
  { name: '@lezer/common', holder: '2018 Marijn Haverbeke and others' },
  { name: '@lezer/highlight', holder: '2018 Marijn Haverbeke and others' },
  { name: '@lezer/lr', holder: '2018 Marijn Haverbeke and others' },
  { name: '@mantine/core', holder: '2021 Vitaly Rtishchev' },
  { name: '@mantine/hooks', holder: '2021 Vitaly Rtishchev' },
  { name: '@marijn/find-cluster-break', holder: '2024 Marijn Haverbeke' },
  { name: '@tanstack/react-query', holder: '2021-present Tanner Linsley' },
  { name: '@tanstack/react-router', holder: '2021-present Tanner Linsley' },
  { name: '@tanstack/react-virtual', holder: '2021-present Tanner Linsley' },
  { name: 'clsx', holder: 'Luke Edwards' },
  { name: 'crelt', holder: '2020 Marijn Haverbeke' },
  { name: 'lean-qr', holder: '2021 David Evans' },
  { name: 'react', holder: 'Meta Platforms, Inc. and affiliates' },
  { name: 'react-dom', holder: 'Meta Platforms, Inc. and affiliates' },
  { name: 'react-number-format', holder: '2020-present Sudhanshu Yadav' },
  { name: 'react-remove-scroll', holder: '2017 Anton Korzunov' },
  { name: 'style-mod', holder: '2018 Marijn Haverbeke and others' },
  { name: 'uplot', holder: '2022 Leon Sorokin' },
  { name: 'w3c-keyname', holder: '2016 Marijn Haverbeke and others' },
  { name: 'yaml', holder: 'Eemeli Aro', license: 'ISC' },
];

export const MIT_TEXT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

export const ISC_TEXT = `Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.`;
