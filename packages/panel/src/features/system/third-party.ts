interface ThirdParty {
  readonly name: string;
  readonly holder: string;
}

/** Packages built into this page. All are under the MIT licence, which requires their notice. */
export const THIRD_PARTY: readonly ThirdParty[] = [
  { name: '@floating-ui/react', holder: '2021-present Floating UI contributors' },
  { name: '@mantine/core', holder: '2021 Vitaly Rtishchev' },
  { name: '@mantine/hooks', holder: '2021 Vitaly Rtishchev' },
  { name: '@tanstack/react-query', holder: '2021-present Tanner Linsley' },
  { name: '@tanstack/react-router', holder: '2021-present Tanner Linsley' },
  { name: '@tanstack/react-virtual', holder: '2021-present Tanner Linsley' },
  { name: 'clsx', holder: 'Luke Edwards' },
  { name: 'lean-qr', holder: '2021 David Evans' },
  { name: 'react', holder: 'Meta Platforms, Inc. and affiliates' },
  { name: 'react-dom', holder: 'Meta Platforms, Inc. and affiliates' },
  { name: 'react-number-format', holder: '2020-present Sudhanshu Yadav' },
  { name: 'react-remove-scroll', holder: '2017 Anton Korzunov' },
  { name: 'uplot', holder: '2022 Leon Sorokin' },
];

export const MIT_TEXT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
